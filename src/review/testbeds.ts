import { parseStoredContract } from '../contract/index.ts';
import { openTestbed, removeEntry, setTestbed, type Testbed, testbedMark } from '../git/index.ts';
import { openTaskWorkspace, type TaskRecord, type TaskTools } from '../task/index.ts';

type TestbedTools = Pick<TaskTools, 'git' | 'places' | 'log' | 'secretScannerArgv'>;

/**
 * The host's own checkouts, one a task: filled with the base while the worker works, brought to the reviewed tree while it
 * is reviewed, thrown away when the task ends. No worker ever sees one.
 */
export class Testbeds {
  readonly #tools: TestbedTools;
  /** The last use of each task's testbed that began; the next one waits for it. */
  readonly #uses = new Map<string, Promise<unknown>>();
  /** Testbeds that were proven to hold a tree and in which nothing has run since. */
  readonly #ready = new Map<string, { readonly tree: string; readonly mark: string }>();

  constructor(tools: TestbedTools) {
    this.#tools = tools;
  }

  /**
   * Fills the testbed ahead where something will run in it: with the tree that is at review, before that with the base. A
   * failure is only logged: it shows when it is needed.
   */
  prepare(record: TaskRecord): void {
    if (parseStoredContract(record.contract).verification.length === 0 && !this.#tools.secretScannerArgv) return;
    const tree = record.status.state === 'review_required' ? record.status.review.tree : record.base_commit;
    const prepared = this.#use(record.task_id, async () => {
      const testbed = await this.#set(record, tree);
      const mark = testbedMark(testbed);
      if (mark !== undefined) this.#ready.set(record.task_id, { tree, mark });
    });
    prepared.catch((error) => {
      this.#tools.log('warn', 'a testbed could not be prepared', { task: record.task_id, error: String(error) });
    });
  }

  /** The testbed, holding exactly `tree` (or a commit's), for whoever will run something in it. It costs what differs. */
  at(record: TaskRecord, tree: string): Promise<Testbed> {
    return this.#use(record.task_id, async () => {
      const ready = this.#ready.get(record.task_id);
      this.#ready.delete(record.task_id);
      if (ready?.tree !== tree) return this.#set(record, tree);
      const testbed = await this.#open(record);
      // Another host may have used it meanwhile.
      return testbedMark(testbed) === ready.mark ? testbed : this.#set(record, tree);
    });
  }

  async #set(record: TaskRecord, tree: string): Promise<Testbed> {
    this.#ready.delete(record.task_id);
    const testbed = await this.#open(record);
    await setTestbed(this.#tools.git, testbed, tree);
    return testbed;
  }

  async #open(record: TaskRecord): Promise<Testbed> {
    const workspace = await openTaskWorkspace(record, this.#tools);
    return openTestbed(this.#tools.git, workspace, this.#tools.places.testbed(record.task_id));
  }

  /** Removes the testbed, whatever a verification made in it. What cannot be removed is logged: the task is over anyway. */
  async discard(taskId: string): Promise<void> {
    await this.#use(taskId, async () => {
      this.#ready.delete(taskId);
      const place = this.#tools.places.testbed(taskId);
      for (const path of [place, `${place}.index`, `${place}.index.lock`]) {
        await removeEntry(path).catch((error) => {
          this.#tools.log('warn', 'a testbed could not be removed', { task: taskId, path, error: String(error) });
        });
      }
    });
  }

  /** Waits for every use that has begun, so that no Git goes on writing when the host is gone. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#uses.values());
  }

  /** One use of a testbed at a time. How the one before ended is its own caller's business. */
  #use<T>(taskId: string, use: () => Promise<T>): Promise<T> {
    const before = this.#uses.get(taskId) ?? Promise.resolve();
    const turn = before.then(use, use);
    this.#uses.set(taskId, turn);
    const forget = () => {
      if (this.#uses.get(taskId) === turn) this.#uses.delete(taskId);
    };
    turn.then(forget, forget);
    return turn;
  }
}
