import { visibleLine } from '../base/index.ts';
import { denyCredential } from './argument-path.ts';
import { cwdOutside, decideCommand } from './command-policy.ts';
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

/** What policy says to one request of a worker, by the kinds of ACP. Pure; never throws. */
export function decide(rules: PolicyRules, action: Action): Decision {
  switch (action.kind) {
    case 'read':
    case 'search':
      return decideRead(action.paths);
    case 'edit':
    case 'delete':
    case 'move':
      return decideChange(rules, action.kind, action.paths);
    case 'execute':
      return decideExecute(rules, action);
    case 'think':
      return { kind: 'allow', clause: 'policy: thinking touches nothing' };
    case 'fetch':
      return deny(
        'network_fetch',
        'policy: no network but the model',
        'Work from the repository; say in the result what would have to be looked up.',
      );
    case 'other':
      return { kind: 'ask', clause: 'policy: a request of no known kind is for the supervisor to answer' };
  }
}

function decideRead(paths: readonly ActionPath[]): Decision {
  if (paths.length === 0) return notEnough('read or searched');
  return firstDenial(paths, () => undefined) ?? { kind: 'allow', clause: 'policy: reading inside the worktree' };
}

function decideChange(rules: PolicyRules, kind: 'edit' | 'delete' | 'move', paths: readonly ActionPath[]): Decision {
  if (paths.length < (kind === 'move' ? 2 : 1)) return notEnough(`changed (${kind})`);
  const denial = firstDenial(paths, (path) => denyChange(rules, path));
  if (denial !== undefined) return denial;
  const patterns = new Set(
    paths.flatMap((path) => (path.kind === 'inside' ? [rules.classifyPath(path.path).pattern ?? ''] : [])),
  );
  return { kind: 'allow', clause: `contract: write_scope ${[...patterns].map(visibleLine).join(', ')}` };
}

/** Every path must pass; the first that does not decides. */
function firstDenial(paths: readonly ActionPath[], further: (path: string) => Denial | undefined): Denial | undefined {
  for (const path of paths) {
    const denial = denyPlace(path) ?? (path.kind === 'inside' ? further(path.path) : undefined);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

function denyPlace(path: ActionPath): Denial | undefined {
  if (path.kind === 'inside') return isCredentialPath(path.path) ? denyCredential(path.path) : undefined;
  const what =
    path.kind === 'outside'
      ? `paths outside the worktree (${visibleLine(path.shown)})`
      : `a path that cannot be resolved (${visibleLine(path.shown)}: ${visibleLine(path.reason)})`;
  return hardDenial(
    'outside_worktree',
    what,
    'Name a path inside the worktree that does not lead through a link out of it.',
  );
}

function denyChange(rules: PolicyRules, path: string): Denial | undefined {
  const shown = visibleLine(path);
  if (path.split('/').some((segment) => segment.toLowerCase() === '.git')) {
    return deny('git_internals', `policy: Git's own files (${shown})`, 'Leave .git alone; Remit makes the commit.');
  }
  const verdict = rules.classifyPath(path);
  if (verdict.kind === 'in_scope') return undefined;
  if (verdict.kind === 'forbidden') {
    return deny(
      'forbidden_scope',
      `contract: forbidden_scope ${visibleLine(verdict.pattern ?? '')} (${shown})`,
      scopeHint(rules),
    );
  }
  return deny('out_of_scope', `contract: no pattern of write_scope covers ${shown}`, scopeHint(rules));
}

function scopeHint(rules: PolicyRules): string {
  const scope = rules.writeScope ?? [];
  const rest = 'If the task needs this path, stop and say so.';
  if (scope.length === 0) return `Change only paths of the contract's write_scope. ${rest}`;
  const more = scope.length > 10 ? ` and ${scope.length - 10} more` : '';
  return `Only these may be changed: ${scope.slice(0, 10).map(visibleLine).join(', ')}${more}. ${rest}`;
}

function notEnough(what: string): Denial {
  return deny(
    'not_enough_information',
    `policy: not enough information, not every path to be ${what} is named`,
    'Ask again with every path.',
  );
}

function decideExecute(rules: PolicyRules, action: Extract<Action, { kind: 'execute' }>): Decision {
  if (action.cwd.kind !== 'inside') return cwdOutside(action.cwd.shown);
  const fromText = action.commandText === undefined ? undefined : parseSimpleCommand(action.commandText);
  const argv = action.argv ?? fromText;
  if (argv === undefined) {
    return deny(
      'not_static',
      'policy: only static argv is matched',
      'Send one simple command as argv; compound shell text is refused.',
    );
  }
  // An agent that asks for one command and shows another: which of them it would run is not known.
  if (action.commandText !== undefined && !isSame(argv, fromText)) {
    return hardDenial(
      'command_mismatch',
      'argv that disagrees with the command text',
      'Send the same simple command in both, or only argv.',
    );
  }
  return decideCommand(argv, action.cwd.path, rules);
}

function isSame(argv: readonly string[], other: readonly string[] | undefined): boolean {
  return other?.length === argv.length && argv.every((word, at) => word === other[at]);
}
