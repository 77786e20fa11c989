import { setImmediate } from 'node:timers/promises';
import type { Desk, TaskNews, TaskView } from '../../app/index.ts';
import { print } from '../print.ts';
import { NewsLines } from '../render/news-lines.ts';
import { styleFor, widthFor } from '../terminal.ts';

/** Turns of the event loop after which what lies in a socket has been read. */
const IO_TURNS = 3;

/** Shows what the host runs, from the moment it is opened, and knows what it has shown. */
export class VerificationStream {
  readonly told = new Set<string>();
  readonly #abort = new AbortController();
  readonly #following: Promise<void>;
  #last: TaskView | undefined;
  #wake: () => void = () => {};

  constructor(desk: Desk, taskId: string, isShown: boolean) {
    const lines = new NewsLines(styleFor(process.stdout, process.env), widthFor(process.stdout));
    this.#following = this.#follow(desk, taskId, (news) => {
      const texts = isShown && news.type === 'activity' ? lines.tell(news) : [];
      if (texts.length > 0) print(texts.join('\n'));
    }).catch(() => {});
  }

  /** The task when it is no longer being verified: a call of the desk is not held for ever. */
  async settled(view: TaskView, signal: AbortSignal): Promise<TaskView> {
    let now = view;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    while (now.state === 'verifying' && !signal.aborted) {
      if (this.#last !== undefined && this.#last.state !== 'verifying') now = this.#last;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
    return now;
  }

  /** Ends it when everything was shown that the host had told before now: that comes by another way than its answer. */
  async close(): Promise<void> {
    for (let turn = 0; turn < IO_TURNS; turn += 1) await setImmediate();
    this.#abort.abort();
    await this.#following;
  }

  async #follow(desk: Desk, taskId: string, show: (news: TaskNews) => void): Promise<void> {
    for await (const news of desk.follow(taskId, { signal: this.#abort.signal, onlyNew: true })) {
      show(news);
      if (news.type === 'activity' && news.activity.type === 'check_ended') this.told.add(news.activity.id);
      if (news.type !== 'status') continue;
      this.#last = news.status;
      this.#wake();
    }
  }
}
