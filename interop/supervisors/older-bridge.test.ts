/** Who used codex-reasonix-mcp changes one line of Codex's configuration; the worker is a real Reasonix. */
import { expect, test } from 'vitest';
import { makeWorkshop } from '../../test/journeys/workshop.ts';
import type { ScriptedTurn } from '../../test/model/script.ts';
import { writeFiles } from '../shared/files.ts';
import { installedVersion } from '../shared/installed.ts';
import { MODEL_BASE_URL } from '../shared/private-network.ts';
import { reasonixHome } from '../shared/reasonix-home.ts';
import { delegate, FINALIZE } from './calls.ts';
import { codex, OLDER_BRIDGE } from './programs/codex.ts';
import { expectCommit } from './scenarios.ts';

const WORKER_TURNS: ScriptedTurn[] = [
  { toolCalls: [{ name: 'read_file', arguments: { path: 'src/x.ts' } }] },
  { toolCalls: [{ name: 'edit_file', arguments: { path: 'src/x.ts', old_string: '1', new_string: '2' } }] },
  { text: 'x is 2.' },
];

const version = installedVersion('reasonix');
const unavailable = version === undefined ? 'Reasonix is not installed: run `make interop`' : codex.unavailable;

test.skipIf(unavailable !== undefined)(
  unavailable ?? `${codex.title} with its configuration of the older bridge makes a commit through Reasonix ${version}`,
  { timeout: 120_000 },
  async () => {
    const workshop = makeWorkshop();
    writeFiles(workshop.home, reasonixHome(MODEL_BASE_URL));
    const before = workshop.fingerprint();
    const options = { variant: OLDER_BRIDGE, workerTurns: WORKER_TURNS };
    const [shown, done] = await codex.converse(workshop, [delegate(), FINALIZE], options);
    expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
    expectCommit(workshop, done, before);
  },
);
