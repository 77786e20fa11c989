/** One command: by itself, in bubblewrap by hand, and through Remit's sandbox. */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, type Sandbox, type SandboxProfile } from '../../src/sandbox/index.ts';
import { type Measurement, Times } from './measure.ts';

const ROUNDS = 31;
const COMMAND = ['test', '-d', '/usr'];
const PLAIN = 'command: by itself';
const BY_HAND = 'command: in bubblewrap by hand';
const CONFINED = 'command: through the sandbox of Remit';

export async function measureCommand(): Promise<Measurement[]> {
  const opened = await openSandbox({ allowUnsandboxed: false });
  if (opened.kind === 'unavailable') throw new Error(opened.reason);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'remit-bench-')));
  const times = new Times();
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      await oneRound(opened.sandbox, folder, round < 0 ? new Times() : times);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return [
    times.measurement(PLAIN),
    times.measurement(BY_HAND, { floor: PLAIN }),
    times.measurement(CONFINED, { floor: BY_HAND }),
  ];
}

async function oneRound(sandbox: Sandbox, folder: string, times: Times): Promise<void> {
  await times.time(PLAIN, () => run(COMMAND));
  await times.time(BY_HAND, () => run(['bwrap', ...byHand(folder), ...COMMAND]));
  const { outcome } = await times.time(CONFINED, () =>
    sandbox.run(profile(folder), COMMAND, { timeoutMs: 10_000, maxOutputBytes: 1_000 }),
  );
  if (outcome.kind !== 'exited' || outcome.exitCode !== 0) throw new Error(JSON.stringify(outcome));
}

function profile(folder: string): SandboxProfile {
  return {
    cwd: folder,
    writable: [folder],
    readOnly: [],
    hidden: [],
    home: { kind: 'private' },
    environment: { PATH: '/usr/bin:/bin' },
    network: 'none',
  };
}

/** The least that somebody would write for the same purpose. */
function byHand(folder: string): string[] {
  const mounts = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/tmp',
    '--bind',
    folder,
    folder,
  ];
  return ['--unshare-all', '--die-with-parent', '--new-session', ...mounts, '--chdir', folder];
}

function run([program = '', ...args]: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
    for (const stream of [child.stdout, child.stderr]) stream.resume();
  });
}
