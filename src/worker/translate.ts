import { type Action, type ActionPath, parseSimpleCommand } from '../policy/index.ts';
import { eventLine } from './events.ts';
import { MAX_PATHS, type ToolFacts } from './tool-facts.ts';
import { resolveInWorktree } from './worktree-path.ts';

/** An agent's request in policy's words, or why it cannot be put into them. */
export type Translation =
  | { readonly kind: 'action'; readonly action: Action; readonly summary: string }
  | { readonly kind: 'incomplete'; readonly summary: string }
  | { readonly kind: 'contradiction'; readonly summary: string; readonly reason: string };

type PathKind = Extract<Action, { paths: unknown }>['kind'];

const PATH_KINDS: ReadonlySet<string> = new Set(['read', 'search', 'edit', 'delete', 'move'] satisfies PathKind[]);
const HARMLESS_KINDS: ReadonlySet<string> = new Set(['read', 'search', 'think', 'fetch']);

/** Reasonix's tools, by the kinds under which their requests may honestly come. */
const KINDS_OF_TOOL: Readonly<Record<string, readonly string[]>> = {
  edit_file: ['edit'],
  multi_edit: ['edit'],
  write_file: ['edit'],
  delete_range: ['edit'],
  move_file: ['edit', 'move'],
  delete_file: ['edit', 'delete'],
  bash: ['execute'],
};

/** Whether the facts name what their kind needs; titles do not count. */
export function isComplete(facts: ToolFacts): boolean {
  if (facts.paths.length > MAX_PATHS) return false;
  if (facts.command !== undefined || facts.argv !== undefined) return true;
  const kind = kindOf(facts);
  if (kind === 'execute') return false;
  if (kind === 'fetch') return facts.url !== undefined;
  if (kind === 'move') return facts.paths.length >= 2;
  return facts.paths.length >= 1 || !PATH_KINDS.has(kind);
}

/** `worktree` is a real path. Paths are resolved on the disk as it is now: early feedback, not the boundary. */
export async function translate(facts: ToolFacts, worktree: string): Promise<Translation> {
  const summary = summaryOf(facts);
  if (!isComplete(facts)) return { kind: 'incomplete', summary };
  const lie = await contradiction(facts, worktree);
  if (lie !== undefined) return { kind: 'contradiction', summary, reason: lie };
  const action = await actionOf(facts, worktree);
  return { kind: 'action', action, summary: 'paths' in action ? pathSummary(action.kind, action.paths) : summary };
}

async function actionOf(facts: ToolFacts, worktree: string): Promise<Action> {
  if (isCommand(facts)) return executeAction(facts, worktree);
  const kind = kindOf(facts);
  if (PATH_KINDS.has(kind)) return { kind: kind as PathKind, paths: await resolveAll(facts.paths, worktree) };
  if (kind === 'think') return { kind };
  if (kind === 'fetch') return { kind, ...(facts.url !== undefined && { target: facts.url }) };
  return { kind: 'other', ...(facts.title !== undefined && { title: eventLine(facts.title) }) };
}

/** Whatever its kind says, a request that carries a command is one. */
function isCommand(facts: ToolFacts): boolean {
  return facts.command !== undefined || facts.argv !== undefined;
}

async function executeAction(facts: ToolFacts, worktree: string): Promise<Action> {
  const cwd = await resolveInWorktree(worktree, facts.cwd ?? worktree);
  const script = shellScript(facts.argv);
  if (script !== undefined) return { kind: 'execute', argv: parseSimpleCommand(script), cwd, commandText: script };
  return { kind: 'execute', argv: facts.argv, cwd, ...(facts.command !== undefined && { commandText: facts.command }) };
}

/**
 * The text of `bash -lc TEXT`, the list in which Codex puts every command; policy judges the text. The profile files
 * that a login shell reads are those of the worker's private home.
 */
function shellScript(argv: readonly string[] | undefined): string | undefined {
  if (argv?.length !== 3) return undefined;
  const [program = '', flag = '', script] = argv;
  return /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|)sh$/.test(program) && /^-l?c$/.test(flag) ? script : undefined;
}

async function resolveAll(paths: readonly string[], worktree: string): Promise<ActionPath[]> {
  const resolved = await Promise.all(paths.map((path) => resolveInWorktree(worktree, path)));
  return [...new Map(resolved.map((path) => [pathKey(path), path])).values()];
}

function pathKey(path: ActionPath): string {
  return path.kind === 'inside' ? path.path : `\0${path.shown}`;
}

/** A request that says one thing and means another is refused, whichever of the two is harmless. */
async function contradiction(facts: ToolFacts, worktree: string): Promise<string | undefined> {
  const kind = kindOf(facts);
  if (HARMLESS_KINDS.has(kind) && facts.writes === true) return `it calls itself "${kind}" but carries text to write`;
  const honest = facts.tool === undefined ? undefined : KINDS_OF_TOOL[facts.tool];
  if (honest && !honest.includes(kind)) return `the tool ${facts.tool} does not "${kind}"`;
  if (facts.subject === undefined) return undefined;
  if (isCommand(facts)) {
    const differs = facts.command !== undefined && facts.command !== facts.subject;
    return differs ? 'its subject is another command than its input' : undefined;
  }
  if (!PATH_KINDS.has(kind)) return undefined;
  const named = await resolveAll(facts.paths, worktree);
  // Policy refuses these by their own clause, which tells more.
  if (named.some((path) => path.kind !== 'inside')) return undefined;
  const subject = await resolveAll(facts.subject.split(' -> '), worktree);
  return sameSet(named, subject) ? undefined : 'its subject names other paths than its input and locations';
}

function sameSet(one: readonly ActionPath[], other: readonly ActionPath[]): boolean {
  const keys = new Set(one.map(pathKey));
  return keys.size === other.length && other.every((path) => keys.has(pathKey(path)));
}

function kindOf(facts: ToolFacts): string {
  if (facts.kind !== undefined) return facts.kind;
  if (isCommand(facts)) return 'execute';
  // A call of unknown kind that names paths is taken for the strictest thing that it could be.
  return facts.paths.length > 0 ? 'edit' : 'other';
}

function pathSummary(kind: string, paths: readonly ActionPath[]): string {
  const shown = paths.slice(0, 5).map((path) => (path.kind === 'inside' ? path.path || '.' : path.shown));
  return eventLine(`${kind} ${shown.join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`);
}

function summaryOf(facts: ToolFacts): string {
  const what =
    facts.argv?.join(' ') ??
    facts.command ??
    (facts.paths.length > 0 ? facts.paths.slice(0, 5).join(', ') : (facts.url ?? ''));
  const kind = isCommand(facts) ? 'execute' : kindOf(facts);
  return eventLine(what === '' ? `${kind} (${facts.title ?? 'nothing named'})` : `${kind} ${what}`);
}
