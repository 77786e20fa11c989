import type { Desk, TaskNews } from '../app/index.ts';
import { RemitError } from '../base/index.ts';

/**
 * Follows a task in the background of a command: tells each piece of news at once, and lets the command wait for a change
 * of the task without missing one that happens meanwhile.
 */
export class TaskWatch {
  readonly #abort = new AbortController();
  readonly #following: Promise<void>;
  #changes = 0;
  #failure: unknown;
  #wake: () => void = () => {};

  /** `onlyNew`: nothing of what happened before, but for the task as it is. */
  constructor(desk: Desk, taskId: string, onNews: (news: TaskNews) => void, { onlyNew = false } = {}) {
    this.#following = this.#follow(desk.follow(taskId, { signal: this.#abort.signal, onlyNew }), taskId, onNews);
  }

  /** How many changes of the task were told; what is read after this is at least as new. */
  get changes(): number {
    return this.#changes;
  }

  /** Settles at the first change after so many, or when the signal aborts. Throws what ended the following. */
  async changed(since: number, signal: AbortSignal): Promise<void> {
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake, { once: true });
    while (this.#changes === since && !signal.aborted && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    signal.removeEventListener('abort', wake);
    if (this.#failure !== undefined && !signal.aborted) throw this.#failure;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#following;
  }

  async #follow(following: AsyncIterable<TaskNews>, taskId: string, onNews: (news: TaskNews) => void): Promise<void> {
    try {
      for await (const news of following) {
        if (news.type === 'gone') throw takenBack(taskId);
        onNews(news);
        if (news.type === 'status') this.#count();
      }
    } catch (error) {
      this.#failure = error;
      this.#wake();
    }
  }

  #count(): void {
    this.#changes += 1;
    this.#wake();
  }
}

function takenBack(taskId: string): RemitError {
  return new RemitError(
    'task_not_found',
    `Task ${taskId} failed before it began and was taken back by whoever delegated it: run it again to see why.`,
  );
}
