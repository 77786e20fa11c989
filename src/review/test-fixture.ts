/** For this room's tests: a task with a real repository and worktree, in the state in which its worker fell idle. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NOW, runningRecord } from '../../test/task-record.ts';
import { lintContract } from '../contract/index.ts';
import { createWorktree, discoverRepository, type Git, openGit } from '../git/index.ts';
import { openSandbox } from '../sandbox/index.ts';
import { ActivityFeed, type Review, type TaskPlaces, type TaskRecord, type TaskTools } from '../task/index.ts';

type Tools = Pick<
  TaskTools,
  'git' | 'places' | 'feed' | 'log' | 'sandbox' | 'hostEnvironment' | 'environmentAllowlist' | 'secretScannerArgv'
>;

export interface Idle extends Disposable {
  readonly folder: string;
  readonly record: TaskRecord;
  readonly tools: Tools;
  /** Everything that was logged. */
  readonly logged: string[];
  /** Writes into the worktree. */
  put(path: string, content: string | Buffer): void;
}

export interface IdleOptions {
  /** Files of the base, beside `a.txt` and `src/x.ts`. */
  readonly base?: Readonly<Record<string, string | Buffer>>;
  /** Members of the contract that differ. */
  readonly contract?: Readonly<Record<string, unknown>>;
  readonly secretScannerArgv?: readonly string[];
}

export async function makeIdleTask(options: IdleOptions = {}): Promise<Idle> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'remit-review-')));
  const home = join(folder, 'home');
  const source = join(folder, 'source');
  write(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.test\n');
  const files = { 'a.txt': 'a\n', 'src/x.ts': 'export const x = 1;\n', ...options.base };
  for (const [path, content] of Object.entries(files)) write(join(source, path), content);
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'base'],
  ]) {
    execFileSync('git', args, { cwd: source, env: { PATH: process.env['PATH'] ?? '', HOME: home } });
  }
  const places = placesIn(join(folder, 'state'));
  const git = await openGit({ environment: { HOME: home } });
  const record = await admit(git, source, places, options.contract ?? {});
  const logged: string[] = [];
  return {
    folder,
    record,
    logged,
    tools: {
      git,
      places,
      feed: new ActivityFeed(),
      log: (level, message, facts) => void logged.push(`${level} ${message} ${JSON.stringify(facts)}`),
      sandbox: async () => {
        const opened = await openSandbox({ allowUnsandboxed: false });
        if (opened.kind === 'unavailable') throw new Error(opened.reason);
        return opened.sandbox;
      },
      hostEnvironment: { PATH: process.env['PATH'] },
      environmentAllowlist: [],
      secretScannerArgv: options.secretScannerArgv,
    },
    put: (path, content) => write(join(record.worktree, path), content),
    [Symbol.dispose]() {
      execFileSync('chmod', ['-R', 'u+rwX', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a reviewer would be asked to approve of that tree. */
export function reviewAt(tree: string): Review {
  return {
    revision: 1,
    tree,
    diff_sha256: '0'.repeat(64),
    diff_bytes: 1,
    diff_stat: '',
    changed_files: [],
    risks: [],
    summary: '',
    created_at: NOW,
  };
}

async function admit(git: Git, source: string, places: TaskPlaces, members: object): Promise<TaskRecord> {
  const found = await discoverRepository(git, source);
  if (found.kind !== 'repository') throw new Error(found.reason);
  const { repository } = found;
  const contract = lintContract({
    schema_version: 1,
    objective: 'Change x',
    user_outcome: 'x has its new value',
    write_scope: ['src/**'],
    acceptance_criteria: [{ id: 'looks-right', requirement: 'The change is what was asked for', evidence: 'review' }],
    verification: [],
    ...members,
  });
  if (!contract.ok) throw new Error(JSON.stringify(contract.problems));
  const created = await createWorktree(git, repository, {
    branch: 'remit/t',
    directory: places.worktree('t'),
    base: repository.head,
    hostDirectory: places.workspace('t'),
  });
  if (created.kind !== 'created') throw new Error(created.reason);
  return {
    ...runningRecord('t'),
    contract: contract.canonical,
    contract_hash: contract.hash,
    repository: {
      id: repository.id,
      name: 'source',
      root: repository.root,
      git_dir: repository.gitDir,
      common_dir: repository.commonDir,
      object_format: repository.objectFormat,
    },
    base_commit: repository.head,
    worktree: created.workspace.worktree,
    review_revision: 0,
    pause_revision: 0,
    standing_risks: [],
  };
}

function placesIn(stateDirectory: string): TaskPlaces {
  const place = (name: string) => (taskId: string) => join(stateDirectory, taskId, name);
  for (const name of ['worktree', 'workspace']) mkdirSync(dirname(place(name)('t')), { recursive: true });
  return {
    stateDirectory,
    worktree: place('worktree'),
    workspace: place('workspace'),
    home: place('home'),
    testbed: place('testbed'),
    logs: place('logs'),
    task: (taskId) => join(stateDirectory, taskId),
  };
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (content.toString().startsWith('#!')) chmodSync(path, 0o755);
}
