import { parseStoredContract } from '../contract/index.ts';
import { openTestbed, removeEntry, setTestbed, type Testbed } from '../git/index.ts';
import { openTaskWorkspace, type TaskRecord, type TaskTools } from '../task/index.ts';

type TestbedTools = Pick<TaskTools, 'git' | 'places' | 'log' | 'secretScannerArgv'>;

/**
 * The host's own checkouts, one a task: filled with the base while the worker works, brought to the reviewed tree when a
 * verification needs it, thrown away when the task ends. No worker ever sees one.
 */
export class Testbeds {
  readonly #tools: TestbedTools;
  /** The last use of each task's testbed that began; the next one waits for it. */
  readonly #uses = new Map<string, Promise<unknown>>();

  constructor(tools: TestbedTools) {
    this.#tools = tools;
  }

  /** Fills the testbed ahead where something will run in it. A failure is only logged: it shows when it is needed. */
  prepare(record: TaskRecord): void {
    if (parseStoredContract(record.contract).verification.length === 0 && !this.#tools.secretScannerArgv) return;
    this.at(record, record.base_commit).catch((error) => {
      this.#tools.log('warn', 'a testbed could not be prepared', { task: record.task_id, error: String(error) });
    });
  }

  /** The testbed, holding exactly `tree` (or a commit's). It costs what differs from what it held. */
  at(record: TaskRecord, tree: string): Promise<Testbed> {
    return this.#use(record.task_id, async () => {
      const { git, places } = this.#tools;
      const workspace = await openTaskWorkspace(record, this.#tools);
      const testbed = await openTestbed(git, workspace, places.testbed(record.task_id));
      await setTestbed(git, testbed, tree);
      return testbed;
    });
  }

  /** Removes the testbed, whatever a verification made in it. What cannot be removed is logged: the task is over anyway. */
  async discard(taskId: string): Promise<void> {
    await this.#use(taskId, async () => {
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
