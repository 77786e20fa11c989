import { z } from 'zod';

/**
 * What an agent has told about one tool call so far, put together from a request and the updates of the same id. Agents
 * name paths and commands under different keys, or late, or not at all; a title is for people and is never evidence.
 */
export interface ToolFacts {
  readonly id: string;
  readonly title?: string;
  readonly kind?: string;
  readonly status?: string;
  /** From `locations`, from the input, and from diffs in the content; as the agent wrote them. */
  readonly paths: readonly string[];
  /** The command as text. */
  readonly command?: string;
  /** The command as a list: from Reasonix's static argv, or from a list in the input. */
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  /** The input carries text to be written. */
  readonly writes?: boolean;
  /** Reasonix: the tool, and what the request says that it is about. */
  readonly tool?: string;
  readonly subject?: string;
}

/** More paths than these in one call are not looked at one by one: the call stays incomplete and is refused. */
export const MAX_PATHS = 200;
const MAX_TEXT = 64 * 1024;

const text = z.string().max(MAX_TEXT).optional().catch(undefined);
const words = z.array(z.string().max(MAX_TEXT)).min(1).max(4_096).optional().catch(undefined);

const toolCallSchema = z.object({
  toolCallId: z.string().max(512),
  title: z
    .string()
    .transform((title) => title.slice(0, 2_000))
    .optional()
    .catch(undefined),
  kind: z.string().max(64).optional().catch(undefined),
  status: z.string().max(64).optional().catch(undefined),
  rawInput: z.unknown().optional(),
  locations: z
    .array(z.object({ path: z.string() }).catch({ path: '' }))
    .max(MAX_PATHS)
    .optional()
    .catch(undefined),
  content: z.array(z.unknown()).optional().catch(undefined),
  _meta: z
    .object({
      'reasonix.io': z.object({ argv: words, cwd: text, subject: text, tool: text }).optional().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

/** Keys under which agents were seen to name the path of a call. */
const PATH_KEYS = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'file',
  'filename',
  'target_file',
  'absolute_path',
  'notebook_path',
  'source_path',
  'destination_path',
  'sourcePath',
  'destinationPath',
  'source',
  'destination',
  'old_path',
  'new_path',
  'move_path',
  'dir_path',
  'directory',
] as const;
const PATH_LIST_KEYS = ['paths', 'files', 'file_paths'] as const;
const WRITE_KEYS = ['content', 'new_string', 'newString', 'new_str', 'diff', 'patch', 'changes', 'edits'] as const;
/** Verbs of editor tools that call their verb `command`. */
const EDITOR_VERBS: ReadonlySet<string> = new Set(['view', 'create', 'str_replace', 'insert', 'undo_edit']);

/** Reads a tool call as it stands in an update or a permission request; `undefined` when it has no id. */
export function readToolFacts(toolCall: unknown): ToolFacts | undefined {
  const parsed = toolCallSchema.safeParse(toolCall);
  if (!parsed.success) return undefined;
  const { toolCallId, title, kind, status, rawInput, locations = [], content = [], _meta } = parsed.data;
  const input = isRecord(rawInput) ? rawInput : {};
  const reasonix = _meta?.['reasonix.io'];
  const paths = [...locations.map((location) => location.path), ...pathsOfInput(input), ...pathsOfContent(content)];
  return {
    id: toolCallId,
    paths: [...new Set(paths.filter((path) => path !== ''))],
    ...defined({ title, kind, status, tool: reasonix?.tool, subject: reasonix?.subject, url: stringOf(input['url']) }),
    ...commandOf(input, reasonix, paths.length > 0),
    ...(WRITE_KEYS.some((key) => input[key] !== undefined && input[key] !== null) && { writes: true }),
  };
}

/** Joins what came earlier with what came later under the same id; the later word counts where it says something. */
export function mergeToolFacts(earlier: ToolFacts | undefined, later: ToolFacts): ToolFacts {
  if (earlier === undefined) return later;
  // Every path that was ever named stays: naming another one later must not hide the first.
  return { ...earlier, ...later, paths: [...new Set([...earlier.paths, ...later.paths])].slice(0, MAX_PATHS + 1) };
}

function commandOf(
  input: Record<string, unknown>,
  reasonix: { argv?: string[] | undefined; cwd?: string | undefined } | undefined,
  namesPaths: boolean,
): Pick<ToolFacts, 'command' | 'argv' | 'cwd'> {
  const given = input['command'] ?? input['cmd'];
  const list = words.parse(given);
  const single = stringOf(given);
  const isVerb = namesPaths && single !== undefined && EDITOR_VERBS.has(single);
  const cwd =
    reasonix?.cwd ?? stringOf(input['cwd']) ?? stringOf(input['workdir']) ?? stringOf(input['working_directory']);
  if (isVerb) return {};
  return {
    ...defined({ command: single, argv: reasonix?.argv ?? list }),
    ...(cwd !== undefined && cwd !== '' && { cwd }),
  };
}

function pathsOfInput(input: Record<string, unknown>): string[] {
  const single = PATH_KEYS.map((key) => stringOf(input[key])).filter((path) => path !== undefined);
  const lists = PATH_LIST_KEYS.flatMap((key) => (Array.isArray(input[key]) ? input[key].map(pathOfEntry) : []));
  return [...single, ...lists.filter((path) => path !== undefined), ...pathsOfChanges(input['changes'])];
}

/** Codex: `changes` is an object from path to change, a change may carry `move_path`. */
function pathsOfChanges(changes: unknown): string[] {
  if (!isRecord(changes) || Array.isArray(changes)) return [];
  const moved = Object.values(changes).map((change) => {
    const inner = isRecord(change) && isRecord(change['update']) ? change['update'] : change;
    return isRecord(inner) ? stringOf(inner['move_path']) : undefined;
  });
  return [...Object.keys(changes), ...moved.filter((path) => path !== undefined)];
}

function pathsOfContent(content: readonly unknown[]): string[] {
  const diffs = content.filter((block) => isRecord(block) && block['type'] === 'diff') as Record<string, unknown>[];
  return diffs.map((diff) => stringOf(diff['path'])).filter((path) => path !== undefined);
}

function pathOfEntry(entry: unknown): string | undefined {
  if (isRecord(entry)) return stringOf(entry['path']) ?? stringOf(entry['file_path']);
  return stringOf(entry);
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_TEXT ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function defined<T extends Record<string, unknown>>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
