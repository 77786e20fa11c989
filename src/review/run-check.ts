import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RemitError, visibleLine, visibleText } from '../base/index.ts';
import type { TaskContractV1 } from '../contract/index.ts';
import { setTestbed, type Testbed, testbedChanges } from '../git/index.ts';
import {
  type CommandOutcome,
  type CommandResult,
  type SandboxProfile,
  verificationEnvironment,
} from '../sandbox/index.ts';
import { listPaths, type Review, type TaskRecord, type TaskTools } from '../task/index.ts';
import { CommandLog, type WrittenLog } from './command-log.ts';

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
  readonly exit_code: number | null;
  readonly output_tail: string;
}

export interface CheckRun {
  readonly result: CheckResult;
  readonly failure?: Failure;
}

/** Where a check runs: one reviewed tree on one testbed. */
export interface CheckContext {
  readonly record: TaskRecord;
  readonly review: Review;
  readonly testbed: Testbed;
  readonly tools: TaskTools;
  readonly signal: AbortSignal;
}

/** Kept of each stream in memory; the log keeps more. */
const STREAM_BYTES = 64 * 1024;

/** Runs one command of the contract; afterwards the testbed's tracked files are the reviewed tree's again. */
export async function runCheck(check: Check, context: CheckContext): Promise<CheckRun> {
  const { record, review, testbed, tools, signal } = context;
  const log = new CommandLog();
  const cwd = await realFolder(testbed, check.cwd);
  const ran = cwd === undefined ? neverRan() : await runInBox(check, cwd, context, log);
  signal.throwIfAborted();
  if (ran.outcome.kind === 'launcher_failed') {
    throw new RemitError('sandbox_unavailable', `${ran.outcome.reason} ${ran.outcome.advice}`.trim());
  }
  const altered = (await testbedChanges(tools.git, testbed)).tracked;
  if (altered.length > 0) await setTestbed(tools.git, testbed, review.tree);
  const written = await log.write(tools.places.logs(record.task_id), `verify-${review.revision}-${check.id}.log`);
  const what = describeFailure(ran.outcome, altered, check);
  return {
    result: checkResult(check, ran, written, what === undefined),
    ...(what !== undefined && {
      failure: { id: check.id, what, exit_code: exitCode(ran.outcome), output_tail: visibleText(written.tail) },
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
  const sandbox = await context.tools.sandbox();
  return sandbox.run(testbedProfile(cwd, context), check.argv, {
    timeoutMs: check.timeout_seconds * 1000,
    maxOutputBytes: STREAM_BYTES,
    signal: context.signal,
    onOutput: (_stream, chunk) => log.add(chunk),
  });
}

/** Only the testbed is writable, its Git folder not; the rest of Remit's state is not even visible. */
function testbedProfile(cwd: string, { testbed, tools }: CheckContext): SandboxProfile {
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
      return `could not start: ${check.argv[0]} is not there (a program of the repository must be executable and named by path)`;
    case 'cwd_not_found':
      return `could not start: its cwd ${check.cwd} is not a folder of the reviewed tree`;
    case 'aborted':
    case 'launcher_failed':
      return 'did not run';
  }
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

const SCANNER_TIMEOUT_MS = 300_000;

/** The operator's own scanner looks at the reviewed tree; what it says of a finding may hold the secret and is not repeated. */
export async function runScanner(argv: readonly string[], context: CheckContext): Promise<void> {
  const { tools, signal } = context;
  const sandbox = await tools.sandbox();
  const profile = testbedProfile(context.testbed.directory, context);
  const ran = await sandbox.run(profile, argv, { timeoutMs: SCANNER_TIMEOUT_MS, maxOutputBytes: STREAM_BYTES, signal });
  signal.throwIfAborted();
  if (ran.outcome.kind === 'exited' && ran.outcome.exitCode === 0) return;
  const how =
    ran.outcome.kind === 'exited'
      ? `ended with exit code ${ran.outcome.exitCode}`
      : `did not end (${ran.outcome.kind})`;
  throw new RemitError(
    'secret_detected',
    `The secret scanner that the operator configured ${how} on the reviewed tree. Run it in the worktree to see why, steer a repair, then finalize again.`,
  );
}
