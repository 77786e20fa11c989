import { sha256 } from '../../base/index.ts';
import type { Observation } from '../../evidence/index.ts';
import { fileDeleted, fileRewritten } from '../../evidence/index.ts';
import type { Place } from '../place/place.ts';
import { placePath } from '../place/place-path.ts';
import type { SessionLog } from './session-log.ts';
import type { SessionState, UnfinishedCall } from './session-state.ts';

/**
 * Answers the calls that an end of the process cut off, without running any again, and adds to the ledger what has changed
 * since it was last seen. Whoever goes on reads the session anew. Nothing was cut off: nothing happens.
 */
export async function recoverCalls(state: SessionState, place: Place, log: SessionLog): Promise<void> {
  if (state.unfinished.length === 0) return;
  await log.append({ kind: 'observed', observations: await changedMeanwhile(state, place) });
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

async function changedMeanwhile(state: SessionState, place: Place): Promise<Observation[]> {
  const known = lastDigests(state.ledger);
  const paths = new Set([...known.keys(), ...state.unfinished.flatMap((call) => pathsOf(call, place.root))]);
  const observations: Observation[] = [];
  for (const path of paths) {
    const file = await place.files.peek(path);
    const digest = file.kind === 'file' ? sha256(file.bytes) : undefined;
    const before = known.get(path);
    if (file.kind === 'absent' && before !== undefined) observations.push(fileDeleted(path, undefined));
    if (file.kind === 'file' && digest !== before) observations.push(fileRewritten(path, 'modified', file.bytes));
  }
  return observations;
}

/** `undefined` for what was deleted. */
function lastDigests(ledger: readonly Observation[]): Map<string, string | undefined> {
  const digests = new Map<string, string | undefined>();
  for (const observation of ledger) {
    if (observation.kind === 'read' || observation.kind === 'write') digests.set(observation.path, observation.sha256);
  }
  return digests;
}

/** What a call that may have been run was about. */
function pathsOf({ intent }: UnfinishedCall, root: string): string[] {
  const input = intent === undefined ? undefined : jsonOf(intent.input);
  if (typeof input !== 'object' || input === null) return [];
  return ['path', 'from', 'to'].flatMap((field) => {
    const value = (input as Record<string, unknown>)[field];
    const found = typeof value === 'string' ? placePath(root, value) : undefined;
    return found?.kind === 'inside' && found.path !== '' ? [found.path] : [];
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
