import { sha256 } from '../../base/index.ts';
import { changeAnswerSchema, META, METHODS, readMetaSchema } from '../../protocol/index.ts';
import { type HostClient, metaOf, refusalOf } from '../host-client.ts';
import { hostCommands } from './host-commands.ts';
import { localFiles } from './local-files.ts';
import type { FileChange, FileReading, LineWindow, Place, PlaceFiles, Refused } from './place.ts';

/** ACP: what was asked for does not exist. */
const NOT_FOUND = -32_002;
const READS = 3;

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
    read: (path, lines) => readRecorded(host, here, { path, absolute: absolute(path), lines }),
    peek: (path) => here.peek(path),
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

interface Wanted {
  readonly path: string;
  readonly absolute: string;
  readonly lines: LineWindow | undefined;
}

/** The host records the lines; the bytes come from the disk and must be the ones that it saw. */
async function readRecorded(host: HostClient, here: PlaceFiles, wanted: Wanted): Promise<FileReading> {
  for (let attempt = 0; attempt < READS; attempt += 1) {
    const told = await tellRead(host, wanted);
    if (told.kind !== 'told') return told;
    const file = await here.peek(wanted.path);
    if (file.kind !== 'file') return file;
    if (sha256(file.bytes) === told.digest) return file;
  }
  return { kind: 'refused', reason: 'changes while it is read; read it again' };
}

type Told = { readonly kind: 'told'; readonly digest: string } | { readonly kind: 'absent' } | Refused;

async function tellRead({ request, sessionId }: HostClient, { absolute, lines }: Wanted): Promise<Told> {
  try {
    const window = lines === undefined ? {} : { line: lines.from, limit: lines.count };
    const answer = await request('fs/read_text_file', { sessionId, path: absolute, ...window });
    return { kind: 'told', digest: readMetaSchema.parse(metaOf(answer)).sha256 };
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_FOUND) return { kind: 'absent' };
    return refused(error);
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
