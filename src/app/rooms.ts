import { randomUUID } from 'node:crypto';
import { fileHelperPath } from '../agent/index.ts';
import { type Log, RemitError } from '../base/index.ts';
import { type Git, openGit } from '../git/index.ts';
import { processStartTime } from '../process/index.ts';
import { Finalizer, Testbeds, takeSnapshot } from '../review/index.ts';
import { openSandbox, type Sandbox } from '../sandbox/index.ts';
import { type Owner, openStore, type Store } from '../store/index.ts';
import {
  ActivityFeed,
  Journal,
  recoverTask,
  type TaskPlaces,
  type TaskRecord,
  Tasks,
  type TaskTools,
  type WorkerProgram,
  WorkerSlots,
} from '../task/index.ts';
import { type Configuration, type ConfigurationSources, loadConfiguration } from './configuration.ts';
import { openLogFile } from './log-file.ts';
import { OwnerServer } from './owner/owner-server.ts';
import { Owners } from './owner/owners.ts';
import { chooseSocketPath, sweepSockets } from './owner/socket-place.ts';
import { ShownDiffs } from './shown-diffs.ts';
import { openStateDirectory } from './state-directory.ts';
import { resolveWorkerProgram } from './worker-program.ts';

/** The rooms that an operation may use, joined once for this process. */
export interface HostRooms {
  readonly configuration: Configuration;
  readonly git: Git;
  readonly store: Store;
  readonly journal: Journal;
  readonly feed: ActivityFeed;
  readonly tasks: Tasks;
  /** Other processes that share the store. */
  readonly owners: Owners;
  readonly finalizer: Finalizer;
  readonly testbeds: Testbeds;
  readonly diffs: ShownDiffs;
  readonly places: TaskPlaces;
  readonly workerNamed: (name: string | undefined) => WorkerProgram;
  readonly log: Log;
  /** Lands the task first if the process that worked on it died. `task_not_found` when there is none. */
  readonly recover: (taskId: string) => Promise<void>;
}

/** What only opening and closing need. */
export interface OpenedRooms extends HostRooms {
  readonly tools: TaskTools;
  readonly server: OwnerServer;
  close(): Promise<void>;
}

/** Opens everything that operations need; who opens closes, which ends every worker and verification of this process. */
export async function openRooms(sources: ConfigurationSources): Promise<OpenedRooms> {
  const configuration = loadConfiguration(sources);
  const places = openStateDirectory(configuration.stateDirectory);
  const log = openLogFile(places.stateDirectory, configuration.logLevel);
  for (const warning of configuration.warnings) log('warn', warning);
  const git = await openGit({ searchPath: sources.environment['PATH'] ?? '', environment: sources.environment });
  const store = openStore(places.stateDirectory);
  const ownerId = randomUUID();
  const server = await OwnerServer.open(chooseSocketPath(places.stateDirectory, ownerId), log);
  const owner = { pid: process.pid, startTime: processStartTime(process.pid) ?? '', ownerId, socket: server.path };
  const rooms = joinRooms({ configuration, sources, places, log, git, store, owner });
  return {
    ...rooms,
    server,
    async close() {
      server.close();
      sweepSockets(places.stateDirectory);
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
  readonly owner: Owner;
}

function joinRooms(parts: Parts): HostRooms & { tools: TaskTools } {
  const { configuration, sources, places, log, git, store, owner } = parts;
  const journal = new Journal(store, owner, log);
  const feed = new ActivityFeed();
  const { secretScannerArgv } = configuration;
  const testbeds = new Testbeds({ git, places, log, secretScannerArgv });
  const workerNamed = (name: string | undefined) => resolveWorkerProgram(configuration, sources.environment, name);
  const tools: TaskTools = {
    git,
    store,
    journal,
    feed,
    places,
    log,
    workerNamed,
    sandbox: sandboxOpener(configuration, sources, log),
    slots: new WorkerSlots(configuration.maxWorkers),
    userHome: sources.homeDirectory,
    hostEnvironment: sources.environment,
    fileHelper: [process.execPath, fileHelperPath()],
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
  const owners = new Owners({ journal, feed, recover, log });
  const diffs = new ShownDiffs({ git, places });
  return {
    configuration,
    git,
    store,
    journal,
    feed,
    tasks,
    finalizer,
    testbeds,
    diffs,
    places,
    workerNamed,
    log,
    owners,
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
