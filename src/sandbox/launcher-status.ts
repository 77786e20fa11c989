import { constants } from 'node:os';
import type { Outcome } from '../process/index.ts';
import type { CommandOutcome } from './command-result.ts';
import { causeOf, describeFailure } from './launcher-failure.ts';

/** What bubblewrap wrote to --json-status-fd: one JSON object a line. */
export interface LauncherStatus {
  /** The box's process 1, by its number on the host. */
  readonly firstProcess: number | undefined;
  /** Present only when the program was executed and has ended. */
  readonly exitCode: number | undefined;
}

export function readStatus(bytes: Buffer): LauncherStatus {
  const text = bytes.toString('latin1');
  return { firstProcess: numberAfter(text, 'child-pid'), exitCode: numberAfter(text, 'exit-code') };
}

function numberAfter(text: string, name: string): number | undefined {
  const digits = new RegExp(`"${name}":\\s*(\\d+)`).exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export interface LauncherEnd {
  readonly outcome: Outcome;
  readonly status: LauncherStatus;
  readonly stderr: string;
  readonly memoryKilled: boolean;
}

/** Tells the program's end from the launcher's. */
export function commandOutcome({ outcome, status, stderr, memoryKilled }: LauncherEnd): CommandOutcome {
  switch (outcome.kind) {
    case 'timed_out':
    case 'aborted':
      return outcome;
    case 'signalled':
      return killedBy(outcome.signal, memoryKilled);
    case 'not_started':
      return {
        kind: 'launcher_failed',
        ...describeFailure(outcome.errno === 'ENOENT' ? 'missing' : 'unknown', outcome.reason),
      };
    case 'exited':
      return status.exitCode === undefined ? neverRan(stderr) : programOutcome(status.exitCode, memoryKilled);
  }
}

function programOutcome(exitCode: number, memoryKilled: boolean): CommandOutcome {
  const signal = exitCode > 128 ? deadlySignal(exitCode - 128) : undefined;
  return signal === undefined ? { kind: 'exited', exitCode } : killedBy(signal, memoryKilled);
}

function killedBy(signal: string, memoryKilled: boolean): CommandOutcome {
  return signal === 'SIGKILL' && memoryKilled ? { kind: 'out_of_memory' } : { kind: 'signalled', signal };
}

/** These do not end a process by themselves. */
const HARMLESS = new Set(['SIGCHLD', 'SIGCONT', 'SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGWINCH']);

function deadlySignal(number: number): string | undefined {
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return name === undefined || HARMLESS.has(name) ? undefined : name;
}

/** The program was not executed, so that everything on stderr is bubblewrap's own. */
function neverRan(stderr: string): CommandOutcome {
  const line = stderr.split('\n').findLast((text) => text.startsWith('bwrap: ')) ?? stderr.trim();
  const failure = describeFailure(causeOf(stderr), stderr.trim() || 'the launcher ended without a word');
  if (line.startsWith('bwrap: execvp ')) {
    return {
      kind: 'program_not_found',
      reason: describeFailure('unknown', line.slice('bwrap: execvp '.length)).reason,
    };
  }
  if (line.startsWith("bwrap: Can't chdir to ")) {
    return { kind: 'cwd_not_found', reason: describeFailure('unknown', line.slice('bwrap: '.length)).reason };
  }
  return { kind: 'launcher_failed', ...failure };
}
