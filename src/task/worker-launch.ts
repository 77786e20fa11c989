import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { compileScope, parseStoredContract } from '../contract/index.ts';
import { decide, type PolicyRules } from '../policy/index.ts';
import { launcherFailure, type SandboxProfile, verificationEnvironment } from '../sandbox/index.ts';
import { describeWorkerHome, prepareWorkerHome, type WorkerOptions, worksThroughHost } from '../worker/index.ts';
import { settingsInSight, settingsToHide } from './hidden-settings.ts';
import type { TaskRecord } from './record.ts';
import { serviceBoxes } from './services/service-boxes.ts';
import { TaskServices } from './services/task-services.ts';
import type { TaskTools, WorkerProgram } from './tools.ts';

export interface PreparedWorker {
  readonly options: WorkerOptions;
  /** What the host does for it, when it works through the host; whoever prepared it stops it. */
  readonly services: TaskServices | undefined;
  readonly hiddenSettings: readonly string[];
  readonly settingsInSight: readonly string[];
}

/** Everything a worker is started with: its program, confined, with the contract's policy and a private home. */
export async function prepareWorker(
  record: TaskRecord,
  tools: TaskTools,
  handed: Pick<WorkerOptions, 'ask' | 'onEvent' | 'signal'>,
): Promise<PreparedWorker> {
  const program = tools.workerNamed(record.worker);
  const home = tools.places.home(record.task_id);
  const leftOut = await prepareHome(record, program, tools);
  const sandbox = await tools.sandbox();
  const rules = policyRules(record);
  const { repositorySettings, passes } = describeWorkerHome(program, home);
  const hiddenSettings = settingsToHide(record.worktree, repositorySettings, parseStoredContract(record.contract));
  const boxFor = (command: readonly string[]) =>
    workerProfile(record, { ...program, command }, tools, {}, hiddenSettings);
  const services = worksThroughHost(program)
    ? new TaskServices(record.task_id, tools, serviceBoxes(boxFor, { ...record, home }, tools))
    : undefined;
  const options: WorkerOptions = {
    ...handed,
    services,
    name: program.name,
    adapter: program.adapter,
    command: program.command,
    worktree: record.worktree,
    lane: record.worker_lane,
    effort: record.requested_reasoning_effort,
    model: program.model,
    network: record.network,
    home,
    leftOut,
    environment: workerEnvironment(program, passes, tools),
    launch: (argv, environment) => {
      const profile = workerProfile(record, program, tools, environment, hiddenSettings);
      return sandbox.launch(services === undefined ? profile : withoutWriting(profile, record.worktree), argv);
    },
    launcherFailure: sandbox.engine.kind === 'unconfined' ? () => undefined : launcherFailure,
    decide: (action) => decide(rules, action),
    resume: record.session && { sessionId: record.session.id },
    log: tools.log,
  };
  const inSight = settingsInSight(record.worktree, repositorySettings, hiddenSettings);
  return { options, services, hiddenSettings, settingsInSight: inSight };
}

/** The agent's private home; answers the files of the user's home that it had to do without. */
async function prepareHome(record: TaskRecord, program: WorkerProgram, tools: TaskTools): Promise<readonly string[]> {
  const { leftOut } = await prepareWorkerHome(program, {
    userHome: tools.userHome,
    home: tools.places.home(record.task_id),
    environment: tools.hostEnvironment,
  });
  if (leftOut.length > 0) {
    const facts = { task: record.task_id, worker: program.name, files: leftOut };
    tools.log('warn', 'files of the user were not copied into the private home of a worker', facts);
  }
  return leftOut;
}

/** What the operator and the agent's family let through goes through the filter that no allowlist lifts, like everything else. */
function workerEnvironment(
  program: WorkerProgram,
  passes: readonly string[],
  tools: TaskTools,
): Record<string, string> {
  const passed = Object.keys(program.environment);
  return verificationEnvironment({ ...tools.hostEnvironment, ...program.environment }, [
    ...tools.environmentAllowlist,
    ...passes,
    ...passed,
  ]);
}

function policyRules(record: TaskRecord): PolicyRules {
  const contract = parseStoredContract(record.contract);
  const scope = compileScope(contract);
  return {
    classifyPath: (path) => scope.classify(path),
    verification: contract.verification,
    allowedCommands: contract.allowed_commands,
    writeScope: contract.write_scope,
    worktree: record.worktree,
  };
}

/**
 * The worker's box, and that of what the host does for it: the root read-only, its worktree and private home writable, Remit's own state and configuration
 * hidden. The pointer file `.git` is read-only, so that no Git of anybody can be led elsewhere. Its network is the
 * host's, since its model is reached through it.
 */
function workerProfile(
  record: TaskRecord,
  program: WorkerProgram,
  tools: TaskTools,
  environment: Readonly<Record<string, string>>,
  hiddenSettings: readonly string[],
): SandboxProfile {
  const home = tools.places.home(record.task_id);
  return {
    cwd: record.worktree,
    writable: [record.worktree, home, ...program.writable],
    readOnly: [join(record.worktree, '.git'), record.repository.common_dir, ...programPlaces(program.command)],
    hidden: [
      tools.places.stateDirectory,
      ...tools.privatePaths,
      ...hiddenSettings.map((path) => join(record.worktree, path)),
    ],
    home: { kind: 'directory', path: home },
    environment,
    network: 'host',
  };
}

/** For a worker whose every effect is the host's: then nothing but the host changes the work, and it can swap nothing that the host looks at. */
function withoutWriting(profile: SandboxProfile, worktree: string): SandboxProfile {
  const writable = profile.writable.filter((path) => path !== worktree);
  return { ...profile, writable, readOnly: [worktree, ...profile.readOnly] };
}

/** Below these the box shows nothing of the host. */
const VOLATILE = ['/tmp', '/var/tmp', '/run', '/dev/shm'];

/** A program that the operator keeps below /tmp, or names by a link there, brings its top folder there along, read-only. */
function programPlaces(command: readonly string[]): string[] {
  const places = command
    .filter((word) => word.startsWith('/') && existsSync(word))
    .flatMap((word) => [word, realpathSync(word)])
    .flatMap((path) =>
      VOLATILE.filter((root) => path.startsWith(`${root}/`)).map((root) =>
        join(root, path.slice(root.length + 1).split('/')[0] ?? ''),
      ),
    );
  return [...new Set(places)];
}
