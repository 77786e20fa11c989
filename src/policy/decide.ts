import { visibleLine } from '../base/index.ts';
import { denyCredential } from './argument-path.ts';
import { decideCommand } from './command-policy.ts';
import { isCredentialPath } from './credential-path.ts';
import {
  type Action,
  type ActionPath,
  type Decision,
  type Denial,
  deny,
  hardDenial,
  type PolicyRules,
} from './decision.ts';
import { parseSimpleCommand } from './simple-command.ts';

/** What an action may do under a contract. Never throws and never looks at a disk. */
export function decide(rules: PolicyRules, action: Action): Decision {
  switch (action.kind) {
    case 'think':
      return { kind: 'allow', clause: 'policy: thinking changes nothing' };
    case 'other':
      return { kind: 'ask', clause: 'policy: an action of an unknown kind is the supervisor’s to judge' };
    case 'fetch':
      return deny(
        'network_fetch',
        'policy: a task has no network but its model',
        'Work with what is in the repository.',
      );
    case 'read':
    case 'search':
      return decideReading(action.paths);
    case 'edit':
    case 'delete':
    case 'move':
      return decideWriting(rules, action.kind, action.paths);
    case 'execute':
      return decideExecution(rules, action);
  }
}

function decideReading(paths: readonly ActionPath[]): Decision {
  for (const path of paths) {
    const denial =
      denyPlace(path) ??
      (path.kind === 'inside' && isCredentialPath(path.path) ? denyCredential(path.path) : undefined);
    if (denial) return denial;
  }
  return { kind: 'allow', clause: 'policy: reading inside the worktree' };
}

function decideWriting(rules: PolicyRules, kind: 'edit' | 'delete' | 'move', paths: readonly ActionPath[]): Decision {
  if (paths.length === 0 || (kind === 'move' && paths.length < 2)) {
    return deny(
      'not_enough_information',
      `policy: ${kind} without its paths`,
      'Name every path that is involved, then ask again.',
    );
  }
  for (const path of paths) {
    const denial = denyPlace(path) ?? (path.kind === 'inside' ? denyTarget(rules, path.path) : undefined);
    if (denial) return denial;
  }
  return { kind: 'allow', clause: 'contract: every path is in write_scope' };
}

function denyPlace(path: ActionPath): Denial | undefined {
  if (path.kind === 'inside') return undefined;
  const why = path.kind === 'outside' ? 'paths outside the worktree' : `paths that cannot be resolved: ${path.reason}`;
  return hardDenial('outside_worktree', `${why} (${visibleLine(path.shown)})`, 'Name a path inside the worktree.');
}

function denyTarget(rules: PolicyRules, path: string): Denial | undefined {
  const shown = visibleLine(path);
  if (path.split('/')[0]?.toLowerCase() === '.git') {
    return deny(
      'git_internals',
      `policy: Git's own files (${shown})`,
      'Remit makes the one commit itself; edit only files in scope.',
    );
  }
  const verdict = rules.classifyPath(path);
  if (verdict.kind === 'in_scope') return undefined;
  const scope = rules.writeScope
    ? `Writable is: ${rules.writeScope.join(', ')}.`
    : 'Write only what write_scope names.';
  return verdict.kind === 'forbidden'
    ? deny(
        'forbidden_scope',
        `contract: forbidden_scope ${JSON.stringify(verdict.pattern ?? '')} covers ${shown}`,
        scope,
      )
    : deny('out_of_scope', `contract: write_scope does not cover ${shown}`, scope);
}

function decideExecution(rules: PolicyRules, action: Extract<Action, { kind: 'execute' }>): Decision {
  const denial = denyPlace(action.cwd);
  if (denial) return denial;
  const argv = action.argv ?? (action.commandText === undefined ? undefined : parseSimpleCommand(action.commandText));
  if (argv === undefined) {
    return deny(
      'not_static',
      'policy: only one simple command is judged',
      'Run one program with plain arguments: no pipes, redirections, variables or several commands.',
    );
  }
  if (action.argv !== undefined && action.commandText !== undefined && disagrees(action.argv, action.commandText)) {
    return hardDenial(
      'command_mismatch',
      'an argv that disagrees with the command shown',
      'Ask again with one command, the same in both forms.',
    );
  }
  return decideCommand(argv, action.cwd.kind === 'inside' ? action.cwd.path : '', rules);
}

function disagrees(argv: readonly string[], text: string): boolean {
  const parsed = parseSimpleCommand(text);
  return parsed === undefined || parsed.length !== argv.length || parsed.some((word, index) => word !== argv[index]);
}
