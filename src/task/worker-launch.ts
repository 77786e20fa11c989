import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { RemitError } from '../base/index.ts';
import { compileScope, parseStoredContract } from '../contract/index.ts';
import { decide, type PolicyRules } from '../policy/index.ts';
import { type SandboxProfile, verificationEnvironment } from '../sandbox/index.ts';
import { describeWorkerHome, prepareWorkerHome, type WorkerOptions } from '../worker/index.ts';
import { listPaths } from './landing.ts';
import type { TaskRecord } from './record.ts';
import type { TaskTools, WorkerProgram } from './tools.ts';

/** Everything a worker is started with: its program, confined, with the contract's policy and a private home. */
export async function prepareWorker(
  record: TaskRecord,
  tools: TaskTools,
  handed: Pick<WorkerOptions, 'ask' | 'onEvent' | 'signal'>,
): Promise<{ options: WorkerOptions; hiddenSettings: readonly string[] }> {
  const program = tools.workerNamed(record.worker);
  const home = tools.places.home(record.task_id);
  await prepareWorkerHome(program, { userHome: tools.userHome, home, environment: tools.hostEnvironment });
  const sandbox = await tools.sandbox();
  const rules = policyRules(record);
  const hiddenSettings = repositorySettings(record, program, home);
  const options: WorkerOptions = {
    ...handed,
    name: program.name,
    adapter: program.adapter,
    command: program.command,
    worktree: record.worktree,
    lane: record.worker_lane,
    effort: record.requested_reasoning_effort,
    model: program.model,
    network: record.network,
    home,
    environment: {
      ...verificationEnvironment(tools.hostEnvironment, tools.environmentAllowlist),
      ...program.environment,
    },
    launch: (argv, environment) =>
      sandbox.launch(workerProfile(record, program, tools, environment, hiddenSettings), argv),
    decide: (action) => decide(rules, action),
    resume: record.session && { sessionId: record.session.id },
    log: tools.log,
  };
  return { options, hiddenSettings };
}

/**
 * Settings of the repository that could run code in this agent or lift its asking: hidden from it, unless the contract
 * is about them. Relative to the worktree.
 */
function repositorySettings(record: TaskRecord, program: WorkerProgram, home: string): string[] {
  const scope = compileScope(parseStoredContract(record.contract));
  const present = describeWorkerHome(program, home).repositorySettings.filter(
    (path) => existsSync(join(record.worktree, path)) && scope.classify(path).kind !== 'in_scope',
  );
  const linked = present.filter((path) => realpathSync(join(record.worktree, path)) !== join(record.worktree, path));
  if (linked.length > 0) {
    throw new RemitError(
      'unsupported_platform',
      `Settings of the repository for this agent are symbolic links, which cannot be hidden from it: ${listPaths(linked)}. Choose another worker, or a base without them.`,
    );
  }
  return present;
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
 * The worker's box: the root read-only, its worktree and private home writable, Remit's own state and configuration
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

/** Below these the box shows nothing of the host. */
const VOLATILE = ['/tmp', '/var/tmp', '/run', '/dev/shm'];

/** A program that the operator keeps below /tmp brings its top folder there along, read-only. */
function programPlaces(command: readonly string[]): string[] {
  const places = command
    .filter((word) => word.startsWith('/') && existsSync(word))
    .map((word) => realpathSync(word))
    .flatMap((path) =>
      VOLATILE.filter((root) => path.startsWith(`${root}/`)).map((root) =>
        join(root, path.slice(root.length + 1).split('/')[0] ?? ''),
      ),
    );
  return [...new Set(places)];
}
