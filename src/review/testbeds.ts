import { openTestbed, removeEntry, setTestbed, type Testbed } from '../git/index.ts';
import { openTaskWorkspace, type TaskRecord, type TaskTools } from '../task/index.ts';

/**
 * The host's own checkouts, one a task: made at the base while the worker works, brought to the reviewed tree when a
 * verification needs it, thrown away when the task ends. No worker ever sees one.
 */
export class Testbeds {
  readonly #tools: Pick<TaskTools, 'git' | 'places' | 'log'>;
  readonly #making = new Map<string, Promise<Testbed>>();

  constructor(tools: Pick<TaskTools, 'git' | 'places' | 'log'>) {
    this.#tools = tools;
  }

  /** Makes the testbed ahead; a failure shows when it is needed. */
  prepare(record: TaskRecord): void {
    this.#open(record).catch((error) => {
      this.#making.delete(record.task_id);
      this.#tools.log('warn', 'a testbed could not be prepared', { task: record.task_id, error: String(error) });
    });
  }

  /** The testbed, holding exactly `tree`. */
  async at(record: TaskRecord, tree: string): Promise<Testbed> {
    const testbed = await this.#open(record);
    await setTestbed(this.#tools.git, testbed, tree);
    return testbed;
  }

  /** Removes the testbed, whatever a verification made in it. What cannot be removed is logged: the task is over anyway. */
  async discard(taskId: string): Promise<void> {
    await this.#making.get(taskId)?.catch(() => {});
    this.#making.delete(taskId);
    const place = this.#tools.places.testbed(taskId);
    await removeEntry(place).catch((error) => {
      this.#tools.log('warn', 'a testbed could not be removed', { task: taskId, place, error: String(error) });
    });
  }

  #open(record: TaskRecord): Promise<Testbed> {
    const existing = this.#making.get(record.task_id);
    if (existing) return existing;
    const opened = openTaskWorkspace(record, this.#tools).then((workspace) =>
      openTestbed(this.#tools.git, workspace, this.#tools.places.testbed(record.task_id)),
    );
    this.#making.set(record.task_id, opened);
    return opened;
  }
}
