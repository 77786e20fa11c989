import { changeAnswerSchema, META, METHODS, readMetaSchema } from '../../protocol/index.ts';
import { type HostClient, metaOf, refusalOf } from '../host-client.ts';
import { hostCommands } from './host-commands.ts';
import { localFiles } from './local-files.ts';
import type { FileChange, LineWindow, Place, PlaceFiles, Refused } from './place.ts';

/** ACP: what was asked for does not exist. */
const NOT_FOUND = -32_002;

/**
 * The services of a Remit host as the place of the tools: it decides each effect, performs it and records it. What is
 * searched and listed is read from the disk here, since it proves nothing. `root` is real.
 */
export function hostPlace(host: HostClient, root: string): Place {
  return { root, files: hostFiles(host, root), commands: hostCommands(host, root) };
}

function hostFiles(host: HostClient, root: string): PlaceFiles {
  const { sessionId } = host;
  const here = localFiles(root);
  const absolute = (path: string) => `${root}/${path}`;
  const change = (method: string, params: Readonly<Record<string, unknown>>, pick: (answer: unknown) => unknown) =>
    changed(async () => pick(await host.request(method, { sessionId, ...params })));
  return {
    peek: (path) => here.peek(path),
    show: (path, lines, digest) => show(host, absolute(path), lines, digest),
    list: (path) => here.list(path),
    write: (path, bytes, { expected, mode }) =>
      change(
        'fs/write_text_file',
        {
          path: absolute(path),
          content: bytes.toString('utf8'),
          _meta: { [META]: { expected, ...(mode !== undefined && { mode }) } },
        },
        metaOf,
      ),
    move: (from, to, { expected }) =>
      change(METHODS.move, { from: absolute(from), to: absolute(to), expected }, (answer) => answer),
    remove: (path, { expected }) =>
      change(METHODS.remove, { path: absolute(path), ...(expected !== undefined && { expected }) }, (answer) => answer),
  };
}

/** The host reads the lines for itself and records them; what it read must be what is shown. */
async function show(
  { request, sessionId }: HostClient,
  path: string,
  lines: LineWindow,
  digest: string,
): Promise<FileChange> {
  try {
    const answer = await request('fs/read_text_file', { sessionId, path, line: lines.from, limit: lines.count });
    return { kind: readMetaSchema.parse(metaOf(answer)).sha256 === digest ? 'done' : 'unexpected' };
  } catch (error) {
    return (error as { code?: unknown }).code === NOT_FOUND ? { kind: 'unexpected' } : refused(error);
  }
}

async function changed(effect: () => Promise<unknown>): Promise<FileChange> {
  try {
    const answer = changeAnswerSchema.parse(await effect());
    return answer.outcome === 'refused' ? { kind: 'refused', reason: answer.reason } : { kind: answer.outcome };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): Refused {
  const reason = refusalOf(error);
  if (reason === undefined) throw error;
  return { kind: 'refused', reason };
}
