import { setImmediate } from 'node:timers/promises';
import type { Desk, TaskNews, TaskView } from '../../app/index.ts';
import { print } from '../print.ts';
import { NewsLines } from '../render/news-lines.ts';
import { TaskWatch } from '../task-watch.ts';
import { styleFor, widthFor } from '../terminal.ts';

/** Turns of the event loop after which what lies in a socket has been read. */
const IO_TURNS = 3;

/** Shows what the host runs, from the moment it is opened, and knows what it has shown. */
export class VerificationStream {
  readonly told = new Set<string>();
  readonly #watch: TaskWatch;
  #last: TaskView | undefined;

  constructor(desk: Desk, taskId: string, isShown: boolean) {
    const lines = new NewsLines(styleFor(process.stdout, process.env), widthFor(process.stdout));
    const show = (news: TaskNews) => {
      const texts = isShown && news.type === 'activity' ? lines.tell(news) : [];
      if (texts.length > 0) print(texts.join('\n'));
      if (news.type === 'activity' && news.activity.type === 'check_ended') this.told.add(news.activity.id);
      if (news.type === 'status') this.#last = news.status;
    };
    this.#watch = new TaskWatch(desk, taskId, show, { onlyNew: true });
  }

  /** The task when it is no longer being verified: a call of the desk is not held for ever. Throws what ended the watch. */
  async settled(view: TaskView, signal: AbortSignal): Promise<TaskView> {
    let now = view;
    while (now.state === 'verifying' && !signal.aborted) {
      const seen = this.#watch.changes;
      if (this.#last !== undefined && this.#last.updated_at > now.updated_at) now = this.#last;
      else await this.#watch.changed(seen, signal);
    }
    return now;
  }

  /** Ends it when everything was shown that the host had told before now: that comes by another way than its answer. */
  async close(): Promise<void> {
    for (let turn = 0; turn < IO_TURNS; turn += 1) await setImmediate();
    await this.#watch.close();
  }
}
