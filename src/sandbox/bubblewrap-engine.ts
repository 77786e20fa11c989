import { readFileSync } from 'node:fs';
import { encodePath, RemitError } from '../base/index.ts';
import { type ExtraFile, processStartTime, runProcess } from '../process/index.ts';
import { planBox } from './box-plan.ts';
import type { CommandOptions, CommandResult } from './command-result.ts';
import {
  ARGUMENTS_FD,
  type CompiledBox,
  compileBubblewrap,
  OUTPUT_FD,
  SECCOMP_FD,
  STATUS_FD,
} from './compile-bubblewrap.ts';
import type { Launch, Sandbox, SandboxEngine } from './engine.ts';
import { describeFailure } from './launcher-failure.ts';
import { commandOutcome, readStatus } from './launcher-status.ts';
import { countMemoryKills } from './memory-kills.ts';
import type { SandboxProfile } from './profile.ts';
import { refusedResult } from './refused-result.ts';
import { seccompFilter } from './seccomp-filter.ts';

/** Confinement by bubblewrap, spawned directly: with a shell between, --die-with-parent would watch the shell. */
export function bubblewrapSandbox(engine: SandboxEngine & { kind: 'bubblewrap' }): Sandbox {
  return {
    engine,
    launch: (profile, argv) => handingOutputOn(endingWithItsBox(launchBox(engine.executable, profile, argv))),
    run: (profile, argv, options) => runInBox(engine.executable, profile, argv, options),
  };
}

/**
 * bubblewrap keeps its standard streams open as long as the box lives, so a program that closed its output and lives on would
 * look merely silent. Every other descriptor it leaves to the program alone: there the output waits, and the last step inside,
 * a shell that becomes the program, puts it in its place.
 */
function handingOutputOn(launch: Launch): Launch {
  const [executable = '', ...rest] = launch.argv;
  const program = rest.indexOf('--') + 1;
  const become = ['/bin/sh', '-c', `exec "$@" >&${OUTPUT_FD} ${OUTPUT_FD}>&-`, 'sh'];
  return {
    ...launch,
    argv: [executable, ...rest.slice(0, program), ...become, ...rest.slice(program)],
    stdoutFd: OUTPUT_FD,
  };
}

/** The launcher dies at once; what it started is gone only when the box is. */
function endingWithItsBox(launch: Launch): Launch {
  return { ...launch, status: { fd: STATUS_FD, ended: (report) => endBox(readStatus(report).firstProcess) } };
}

function launchBox(executable: string, profile: SandboxProfile, argv: readonly string[]): Launch {
  if (argv[0] === undefined || argv[0] === '')
    throw new RemitError('sandbox_unavailable', 'There is no program to run: the argv is empty.');
  const plan = planBox(profile, argv);
  const filter = seccompFilter(process.arch, plan.unixSockets);
  if (filter === undefined)
    throw new RemitError('sandbox_unavailable', `No system call filter is known for ${process.arch}.`);
  const box = compileBubblewrap(plan);
  return {
    argv: [executable, '--args', String(ARGUMENTS_FD), '--', ...argv],
    cwd: '/',
    env: {},
    extraFiles: [
      { fd: ARGUMENTS_FD, data: encodeArguments(['--json-status-fd', String(STATUS_FD), ...box.options]) },
      { fd: SECCOMP_FD, data: filter },
      ...emptyFiles(box),
    ],
  };
}

function emptyFiles(box: CompiledBox): readonly ExtraFile[] {
  return box.emptyFiles.map((fd) => ({ fd, data: new Uint8Array() }));
}

/** NUL ends an argument: one inside a value would start an option of the writer's choice. */
function encodeArguments(options: readonly string[]): Uint8Array {
  const parts = options.map((option) => {
    if (option.includes('\0')) throw new RemitError('sandbox_unavailable', 'A sandbox profile holds a NUL character.');
    return Buffer.concat([encodePath(option), Buffer.of(0)]);
  });
  return Buffer.concat(parts);
}

async function runInBox(
  executable: string,
  profile: SandboxProfile,
  argv: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  let launch: Launch;
  try {
    launch = launchBox(executable, profile, argv);
  } catch (error) {
    if (error instanceof RemitError) return refusedResult(describeFailure('path', error.message));
    throw error;
  }
  const killsBefore = countMemoryKills();
  const result = await runProcess({ ...launch, ...options, statusFd: STATUS_FD });
  const status = readStatus(result.status);
  await endBox(status.firstProcess);
  const memoryKilled = countMemoryKills() > killsBefore;
  return {
    outcome: commandOutcome({ outcome: result.outcome, status, stderr: result.stderr.bytes.toString(), memoryKilled }),
    stdout: result.stdout,
    stderr: result.stderr,
    startedAt: result.startedAt,
    finishedAt: result.finishedAt,
    confined: true,
  };
}

/**
 * With the box's first process the kernel ends every other one, daemons included, before that first one counts as dead.
 * bubblewrap ties it to the launcher's life only as its last step: where the launcher was ended before, nobody else would end
 * it. Evidence is taken after it. A few milliseconds; at most 5 s.
 */
async function endBox(firstProcess: number | undefined): Promise<void> {
  if (firstProcess === undefined) return;
  for (let look = 0; look < 1_000 && processStartTime(firstProcess) !== undefined; look += 1) {
    if (look === 0) killFirstProcess(firstProcess);
    // Most often it is dead already or a moment later.
    await new Promise((resolve) => setTimeout(resolve, look < 10 ? 1 : 5));
  }
}

/** Only what is the first process of a namespace of its own: the number may be somebody else's by now. */
function killFirstProcess(pid: number): void {
  try {
    const numbers = /^NSpid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]?.split(/\s+/) ?? [];
    if (numbers.length > 1 && numbers.at(-1) === '1') process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
