import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable, runProcess } from '../process/index.ts';
import { bubblewrapSandbox } from './bubblewrap-engine.ts';
import type { Sandbox } from './engine.ts';
import { causeOf, describeFailure, type LauncherFailure } from './launcher-failure.ts';
import type { OpenedSandbox } from './open-sandbox.ts';
import type { SandboxProfile } from './profile.ts';
import { seccompFilter } from './seccomp-filter.ts';

const PROBE_MS = 10_000;

/** bubblewrap, found once and absolute, and proven by a run with the flags of every later one. */
export async function openLinuxSandbox(searchPath: string | undefined): Promise<OpenedSandbox> {
  if (seccompFilter(process.arch, 'refused') === undefined) {
    const reason = `Remit knows no system call numbers for this processor (${process.arch}).`;
    return { kind: 'unavailable', ...describeFailure('unsupported_system', reason) };
  }
  const executable = findExecutable('bwrap', searchPath);
  if (executable === undefined) {
    return { kind: 'unavailable', ...describeFailure('missing', 'bubblewrap (bwrap) was not found on PATH.') };
  }
  const sandbox = bubblewrapSandbox({ kind: 'bubblewrap', executable, version: await versionOf(executable) });
  const failure = await probe(sandbox, executable);
  return failure === undefined ? { kind: 'ready', sandbox } : { kind: 'unavailable', ...failure };
}

async function versionOf(executable: string): Promise<string> {
  const argv = [executable, '--version'];
  const result = await runProcess({ argv, cwd: '/', env: {}, timeoutMs: PROBE_MS, maxOutputBytes: 1_000 });
  return /(\d+(?:\.\d+)+)/.exec(result.stdout.bytes.toString())?.[1] ?? 'unknown';
}

/** Runs the launcher itself inside: the one program that is known to be there. */
async function probe(sandbox: Sandbox, executable: string): Promise<LauncherFailure | undefined> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'remit-probe-')));
  try {
    const { outcome } = await sandbox.run(probeProfile(folder, executable), [executable, '--version'], {
      timeoutMs: PROBE_MS,
      maxOutputBytes: 4_000,
    });
    if (outcome.kind === 'exited' && outcome.exitCode === 0) return undefined;
    if (outcome.kind === 'launcher_failed') return describeFailure(outcome.cause, outcome.reason);
    const reason = 'reason' in outcome ? outcome.reason : `the probe ended as ${outcome.kind}`;
    return describeFailure(causeOf(reason), reason);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One mount of every kind. */
function probeProfile(folder: string, executable: string): SandboxProfile {
  for (const name of ['writable', 'hidden']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'writable', 'hidden-file'), '');
  return {
    cwd: '/',
    writable: [join(folder, 'writable')],
    readOnly: [executable],
    hidden: [join(folder, 'hidden'), join(folder, 'writable', 'hidden-file')],
    home: { kind: 'private' },
    environment: { PATH: '/usr/bin:/bin' },
    network: 'none',
  };
}
