import { randomUUID } from 'node:crypto';
import { type Log, RemitError } from '../base/index.ts';
import { type Git, openGit } from '../git/index.ts';
import { processStartTime } from '../process/index.ts';
import { Finalizer, Testbeds, takeSnapshot } from '../review/index.ts';
import { openSandbox, type Sandbox } from '../sandbox/index.ts';
import { openStore, type Store } from '../store/index.ts';
import {
  Journal,
  recoverTask,
  recoverTasks,
  type TaskPlaces,
  type TaskRecord,
  Tasks,
  type TaskTools,
  type WorkerProgram,
  WorkerSlots,
} from '../task/index.ts';
import { type Configuration, type ConfigurationSources, loadConfiguration } from './configuration.ts';
import { control } from './control.ts';
import { delegate } from './delegate.ts';
import { inspect } from './inspect.ts';
import { openLogFile } from './log-file.ts';
import type { Operations } from './operations.ts';
import { ShownDiffs } from './shown-diffs.ts';
import { openStateDirectory } from './state-directory.ts';
import { resolveWorkerProgram } from './worker-program.ts';

/** The rooms that an operation may use, joined once for this process. */
export interface HostRooms {
  readonly configuration: Configuration;
  readonly git: Git;
  readonly store: Store;
  readonly journal: Journal;
  readonly tasks: Tasks;
  readonly finalizer: Finalizer;
  readonly testbeds: Testbeds;
  readonly diffs: ShownDiffs;
  readonly places: TaskPlaces;
  readonly workerNamed: (name: string | undefined) => WorkerProgram;
  readonly log: Log;
  /** Lands the task first if the process that worked on it died. `task_not_found` when there is none. */
  readonly recover: (taskId: string) => Promise<void>;
}

export interface Host {
  readonly operations: Operations;
  readonly log: Log;
  /** Ends every worker and verification of this process and closes the store; tasks are recovered at the next start. */
  close(): Promise<void>;
}

/** Opens everything that operations need and lands the tasks of hosts that died. */
export async function openHost(sources: ConfigurationSources): Promise<Host> {
  const configuration = loadConfiguration(sources);
  const places = openStateDirectory(configuration.stateDirectory);
  const log = openLogFile(places.stateDirectory, configuration.logLevel);
  for (const warning of configuration.warnings) log('warn', warning);
  const git = await openGit({ searchPath: sources.environment['PATH'] ?? '', environment: sources.environment });
  const store = openStore(places.stateDirectory);
  const rooms = joinRooms({ configuration, sources, places, log, git, store });
  await recoverTasks(rooms.tools, (record) => rooms.finalizer.recover(record));
  return {
    log,
    operations: {
      delegate: (input, context) => delegate(rooms, input, context),
      control: (input, context) => control(rooms, input, context),
      inspect: (input, context) => inspect(rooms, input, context),
    },
    async close() {
      await rooms.finalizer.shutdown();
      await rooms.tasks.shutdown();
      await rooms.testbeds.close();
      rooms.journal.flush();
      store.close();
    },
  };
}

interface Parts {
  readonly configuration: Configuration;
  readonly sources: ConfigurationSources;
  readonly places: TaskPlaces;
  readonly log: Log;
  readonly git: Git;
  readonly store: Store;
}

function joinRooms(parts: Parts): HostRooms & { tools: TaskTools } {
  const { configuration, sources, places, log, git, store } = parts;
  const owner = { pid: process.pid, startTime: processStartTime(process.pid) ?? '', ownerId: randomUUID() };
  const journal = new Journal(store, owner, log);
  const { secretScannerArgv } = configuration;
  const testbeds = new Testbeds({ git, places, log, secretScannerArgv });
  const workerNamed = (name: string | undefined) => resolveWorkerProgram(configuration, sources.environment, name);
  const tools: TaskTools = {
    git,
    store,
    journal,
    places,
    log,
    workerNamed,
    sandbox: sandboxOpener(configuration, sources, log),
    slots: new WorkerSlots(configuration.maxWorkers),
    userHome: sources.homeDirectory,
    hostEnvironment: sources.environment,
    privatePaths: [configuration.file],
    secretScannerArgv,
    environmentAllowlist: configuration.environmentAllowlist,
    inspectWork: (record) => takeSnapshot(record, { git, places }),
    prepareReview: (record) => testbeds.prepare(record),
  };
  const tasks = new Tasks(tools);
  const finalizer = new Finalizer(tools, testbeds);
  const settle = (record: TaskRecord) => finalizer.recover(record);
  const recover = (taskId: string) => recoverTask(journal.read(taskId), tools, settle);
  const diffs = new ShownDiffs({ git, places });
  return {
    configuration,
    git,
    store,
    journal,
    tasks,
    finalizer,
    testbeds,
    diffs,
    places,
    workerNamed,
    log,
    tools,
    recover,
  };
}

/** Probes once, at the first need; a failed probe is tried again at the next, since an operator may have mended it. */
function sandboxOpener(configuration: Configuration, sources: ConfigurationSources, log: Log): () => Promise<Sandbox> {
  let opened: Promise<Sandbox> | undefined;
  const open = async () => {
    const engine = await openSandbox({
      allowUnsandboxed: configuration.allowUnsandboxed,
      searchPath: sources.environment['PATH'],
    });
    if (engine.kind === 'unavailable') throw new RemitError('sandbox_unavailable', `${engine.reason} ${engine.advice}`);
    if (engine.sandbox.engine.kind === 'unconfined')
      log('warn', 'commands and workers run WITHOUT a sandbox, as the operator allowed');
    return engine.sandbox;
  };
  return () => {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
