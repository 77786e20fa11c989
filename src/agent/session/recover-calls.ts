import { sha256 } from '../../base/index.ts';
import type { Observation } from '../../evidence/index.ts';
import { fileDeleted, fileRewritten } from '../../evidence/index.ts';
import { callArguments } from '../models/call-arguments.ts';
import type { Place } from '../place/place.ts';
import { placePath } from '../place/place-path.ts';
import type { SessionLog } from './session-log.ts';
import type { SessionState } from './session-state.ts';
import type { OpenSession } from './session-store.ts';

/**
 * Answers the calls that an end of the process cut off, without running any again, and adds to the ledger what has changed
 * since it was last seen. Whoever goes on reads the session anew. Nothing was cut off: nothing happens.
 */
export async function recoverCalls(
  state: SessionState,
  place: Place,
  log: SessionLog & Pick<OpenSession, 'lastWritten'>,
): Promise<void> {
  if (state.unfinished.length === 0) return;
  await log.append({ kind: 'observed', observations: await changedMeanwhile(state, place, log.lastWritten) });
  for (const { call, intent } of state.unfinished) {
    const text =
      intent === undefined
        ? 'This call was not run: the work was interrupted before it. Make it again if it is still wanted.'
        : 'The work was interrupted during this call: it may have had its effect, or a part of it, or none. It was not repeated. Look at what is there now before you go on.';
    await log.append({
      kind: 'result',
      answer: { id: call.id, name: call.name, text, isError: true },
      observations: [],
    });
  }
}

async function changedMeanwhile(state: SessionState, place: Place, lastWritten: number): Promise<Observation[]> {
  const known = lastDigests(state.ledger);
  for (const { intent } of state.unfinished)
    for (const [path, digest] of Object.entries(intent?.before ?? {})) known.set(path, digest ?? undefined);
  const paths = new Set([...known.keys(), ...(await touchedByCommands(state, place, lastWritten))]);
  const observations: Observation[] = [];
  for (const path of paths) {
    const file = await place.files.peek(path);
    const digest = file.kind === 'file' ? sha256(file.bytes) : undefined;
    const before = known.get(path);
    const wasThere = before !== undefined || !known.has(path);
    if (file.kind === 'absent' && wasThere) observations.push(fileDeleted(path, undefined));
    if (file.kind !== 'file' || digest === before) continue;
    observations.push(fileRewritten(path, wasThere ? 'modified' : 'created', file.bytes));
  }
  return observations;
}

/** A command names no file that it changes. */
async function touchedByCommands(state: SessionState, place: Place, lastWritten: number): Promise<string[]> {
  const { commands } = place;
  const ran = state.unfinished.some(({ intent }) => intent?.tool === 'bash');
  if (!ran || commands.kind === 'withheld') return [];
  return ((await commands.touchedSince?.(lastWritten)) ?? []).map(({ path }) => path);
}

/** The files that a call names, as they are before it is run. */
export async function digestsBefore(input: string, place: Place): Promise<Record<string, string | null>> {
  const digests: Record<string, string | null> = {};
  for (const path of pathsOf(input, place.root)) {
    const file = await place.files.peek(path);
    if (file.kind !== 'refused') digests[path] = file.kind === 'file' ? sha256(file.bytes) : null;
  }
  return digests;
}

/** `undefined` for what was deleted. */
function lastDigests(ledger: readonly Observation[]): Map<string, string | undefined> {
  const digests = new Map<string, string | undefined>();
  for (const observation of ledger) {
    if (observation.kind === 'read' || observation.kind === 'write') digests.set(observation.path, observation.sha256);
  }
  return digests;
}

function pathsOf(input: string, root: string): string[] {
  const read = callArguments(input);
  const named = read.kind === 'json' ? read.value : undefined;
  if (typeof named !== 'object' || named === null) return [];
  return ['path', 'from', 'to'].flatMap((field) => {
    const value = (named as Record<string, unknown>)[field];
    const found = typeof value === 'string' ? placePath(root, value) : undefined;
    return found?.kind === 'inside' && found.path !== '' ? [found.path] : [];
  });
}
