import type { Log } from '../base/index.ts';
import type { Git } from '../git/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { Store } from '../store/index.ts';
import type { AdapterName } from '../worker/index.ts';
import type { ActivityFeed } from './activity.ts';
import type { Journal } from './journal.ts';
import type { SnapshotVerdict } from './landing.ts';
import type { TaskRecord } from './record.ts';
import type { WorkerSlots } from './worker-slots.ts';

/** Where a task keeps its things; all absolute, all inside the state directory. */
export interface TaskPlaces {
  readonly stateDirectory: string;
  worktree(taskId: string): string;
  /** Host only: index, quarantined objects, staging. */
  workspace(taskId: string): string;
  home(taskId: string): string;
  testbed(taskId: string): string;
  logs(taskId: string): string;
  task(taskId: string): string;
}

/** A worker as the configuration describes it, its program resolved to an absolute path. */
export interface WorkerProgram {
  readonly name: string;
  readonly adapter: AdapterName;
  readonly command: readonly string[];
  /** A model to choose where the agent offers a choice; absent: the agent's own. */
  readonly model?: string | undefined;
  /** Variables that the operator lets through to this worker. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders that the operator makes writable for it: an explicit exception. */
  readonly writable: readonly string[];
}

/** What the life of a task needs from the rooms around it, handed in by `app/`. */
export interface TaskTools {
  readonly git: Git;
  readonly store: Store;
  readonly journal: Journal;
  /** For who watches: what goes on and is not kept. */
  readonly feed: ActivityFeed;
  readonly sandbox: () => Promise<Sandbox>;
  readonly places: TaskPlaces;
  readonly slots: WorkerSlots;
  readonly log: Log;
  readonly userHome: string;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly environmentAllowlist: readonly string[];
  /** Starts the program that reads and changes files for a worker that works through the host; absolute. */
  readonly fileHelper: readonly string[];
  /** Files of Remit itself that no worker may see, such as a configuration with keys. */
  readonly privatePaths: readonly string[];
  /** The operator's own secret scanner, run in the sandbox on the testbed; exit 0 means nothing found. */
  readonly secretScannerArgv: readonly string[] | undefined;
  /** The worker of that name, or a refusal that says how to get one. */
  readonly workerNamed: (name: string) => WorkerProgram;
  /** What the worktree holds for review; `review/` decides it. */
  readonly inspectWork: (record: TaskRecord) => Promise<SnapshotVerdict>;
  /** Called once the worktree stands, and when a tree is at review: the testbed is made while others work. */
  readonly prepareReview: (record: TaskRecord) => void;
}
