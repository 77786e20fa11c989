import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RemitError, visibleLine, visibleText } from '../base/index.ts';
import type { TaskContractV1 } from '../contract/index.ts';
import { alteredFiles, type Testbed } from '../git/index.ts';
import {
  type CommandOutcome,
  type CommandResult,
  type SandboxProfile,
  verificationEnvironment,
} from '../sandbox/index.ts';
import { listPaths, type Review, type TaskRecord, type TaskTools } from '../task/index.ts';
import { CommandLog, type WrittenLog } from './command-log.ts';
import { OutputLines } from './output-lines.ts';

type Check = TaskContractV1['verification'][number];

/** One verification command as it ran. Field names are the wire's. */
export interface CheckResult {
  readonly id: string;
  readonly argv: string[];
  readonly cwd: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly passed: boolean;
  readonly proves: string[];
  readonly logPath: string;
  readonly sha256: string;
  readonly outputBytes: number;
}

/** What did not pass, for the supervisor: with the end of what it printed. */
export interface Failure {
  readonly id: string;
  readonly what: string;
  /** Where it is to be mended: in the work, in the contract's command, or in what a fresh checkout lacks. */
  readonly fault: 'work' | 'contract' | 'environment';
  readonly exit_code: number | null;
  readonly output_tail: string;
}

export interface CheckRun {
  readonly result: CheckResult;
  readonly failure?: Failure;
  /** Tracked files of the testbed that it left different: to be restored before the next command. */
  readonly altered: readonly string[];
}

export type CheckTools = Pick<
  TaskTools,
  'git' | 'places' | 'feed' | 'sandbox' | 'hostEnvironment' | 'environmentAllowlist' | 'secretScannerArgv'
>;

/** Where a check runs: one reviewed tree on one testbed. */
export interface CheckContext {
  readonly record: TaskRecord;
  readonly review: Review;
  readonly testbed: Testbed;
  readonly tools: CheckTools;
  readonly signal: AbortSignal;
}

/** Kept of each stream in memory; the log keeps more. */
export const STREAM_BYTES = 64 * 1024;

/** Runs one command of the contract, on a testbed whose tracked files are the reviewed tree's. */
export async function runCheck(check: Check, context: CheckContext): Promise<CheckRun> {
  const { record, review, testbed, tools, signal } = context;
  const log = new CommandLog();
  tools.feed.publish(record.task_id, { type: 'check_started', id: check.id, argv: check.argv, cwd: check.cwd });
  const cwd = await realFolder(testbed, check.cwd);
  const ran = cwd === undefined ? neverRan() : await runInBox(check, cwd, context, log);
  signal.throwIfAborted();
  if (ran.outcome.kind === 'launcher_failed') {
    throw new RemitError('sandbox_unavailable', `${ran.outcome.reason} ${ran.outcome.advice}`.trim());
  }
  const altered = await alteredFiles(tools.git, testbed);
  const written = await log.write(tools.places.logs(record.task_id), `verify-${review.revision}-${check.id}.log`);
  const what = describeFailure(ran.outcome, altered, check);
  const result = checkResult(check, ran, written, what === undefined);
  tools.feed.publish(record.task_id, {
    type: 'check_ended',
    id: check.id,
    passed: result.passed,
    outcome: what ?? 'passed',
    duration_ms: Date.parse(ran.finishedAt) - Date.parse(ran.startedAt),
  });
  return {
    altered,
    result,
    ...(what !== undefined && {
      failure: {
        id: check.id,
        what,
        fault: faultOf(ran.outcome, check, written.bytes),
        exit_code: exitCode(ran.outcome),
        output_tail: visibleText(written.tail),
      },
    }),
  };
}

/** The folder to run in; undefined when it is not there, or when a link of the tree leads it out of the testbed. */
async function realFolder(testbed: Testbed, cwd: string): Promise<string | undefined> {
  const real = await realpath(join(testbed.directory, cwd)).catch(() => undefined);
  return real === testbed.directory || real?.startsWith(`${testbed.directory}/`) ? real : undefined;
}

type Ran = Pick<CommandResult, 'outcome' | 'startedAt' | 'finishedAt'>;

function neverRan(): Ran {
  const now = new Date().toISOString();
  return { outcome: { kind: 'cwd_not_found', reason: '' }, startedAt: now, finishedAt: now };
}

async function runInBox(check: Check, cwd: string, context: CheckContext, log: CommandLog): Promise<Ran> {
  const { tools, record, signal } = context;
  const sandbox = await tools.sandbox();
  const show = (line: string) => tools.feed.publish(record.task_id, { type: 'check_output', id: check.id, line });
  const lines = { stdout: new OutputLines(show), stderr: new OutputLines(show) };
  const ran = await sandbox.run(testbedProfile(cwd, context), check.argv, {
    timeoutMs: check.timeout_seconds * 1000,
    maxOutputBytes: STREAM_BYTES,
    signal,
    onOutput: (stream, chunk) => {
      log.add(chunk);
      lines[stream].add(chunk);
    },
  });
  lines.stdout.end();
  lines.stderr.end();
  return ran;
}

/** Only the testbed is writable, its Git folder not; the rest of Remit's state is not even visible. */
export function testbedProfile(cwd: string, { testbed, tools }: CheckContext): SandboxProfile {
  return {
    cwd,
    writable: [testbed.directory],
    readOnly: [join(testbed.directory, '.git'), ...testbed.workspace.objectDirectories],
    hidden: [tools.places.stateDirectory],
    home: { kind: 'private' },
    environment: verificationEnvironment(tools.hostEnvironment, tools.environmentAllowlist),
    network: 'none',
  };
}

function describeFailure(outcome: CommandOutcome, altered: readonly string[], check: Check): string | undefined {
  switch (outcome.kind) {
    case 'exited':
      if (outcome.exitCode !== 0) return `exited with ${outcome.exitCode}`;
      if (altered.length === 0) return undefined;
      return `changed tracked files, so it did not verify the reviewed tree: ${listPaths(altered.map(visibleLine))}`;
    case 'signalled':
      return `was killed by ${outcome.signal}`;
    case 'timed_out':
      return `did not end within its timeout_seconds of ${check.timeout_seconds}`;
    case 'out_of_memory':
      return 'was killed for want of memory';
    case 'program_not_found':
      return `could not start: ${check.argv[0]} is not there (a program of the repository is named by its path, such as ./check.sh, and must be executable)`;
    case 'cwd_not_found':
      return `could not start: its cwd ${check.cwd} is not a folder of the reviewed tree`;
    case 'aborted':
    case 'launcher_failed':
      return 'did not run';
  }
}

/** A shell's 127 is a program that is not there; who waits without a word waits for a network or a terminal. */
function faultOf(outcome: CommandOutcome, check: Check, outputBytes: number): Failure['fault'] {
  if (outcome.kind === 'program_not_found' && !check.argv[0]?.includes('/')) return 'contract';
  const lacksProgram = outcome.kind === 'exited' && outcome.exitCode === 127;
  const isSilent = outcome.kind === 'timed_out' && outputBytes === 0;
  return lacksProgram || isSilent ? 'environment' : 'work';
}

function exitCode(outcome: CommandOutcome): number | null {
  return outcome.kind === 'exited' ? outcome.exitCode : null;
}

function checkResult(check: Check, ran: Ran, log: WrittenLog, passed: boolean): CheckResult {
  return {
    id: check.id,
    argv: check.argv,
    cwd: check.cwd,
    startedAt: ran.startedAt,
    finishedAt: ran.finishedAt,
    exitCode: exitCode(ran.outcome),
    timedOut: ran.outcome.kind === 'timed_out',
    passed,
    proves: check.proves,
    logPath: log.path,
    sha256: log.sha256,
    outputBytes: log.bytes,
  };
}
