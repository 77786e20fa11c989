import { z } from 'zod';
import { activitySchema, isTerminal } from '../../task/index.ts';
import type { HostRooms } from '../rooms.ts';
import { viewTask } from '../task-view.ts';
import { eventRowSchema } from '../wire/inspect.ts';
import { taskViewSchema } from '../wire/task-view.ts';

/** What a follower of a task is told, one object each. */
export const taskNewsSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('status'),
      status: taskViewSchema.describe('The task after a change; first as it is.'),
    })
    .describe('The task changed.'),
  z
    .strictObject({
      type: z.literal('event'),
      event: eventRowSchema.describe('What happened, from the task’s journal.'),
    })
    .describe('Something was written to the task’s journal.'),
  z
    .strictObject({
      type: z.literal('activity'),
      activity: activitySchema.describe('What goes on now and is not kept.'),
    })
    .describe('Something goes on in a task that is at work; told only while it is watched.'),
  z.strictObject({ type: z.literal('gone') }).describe('The task failed before it began and was taken back.'),
]);

export type TaskNews = z.output<typeof taskNewsSchema>;

/** A follower that reads too slowly loses activity, never a change or an event. */
const MAX_WAITING = 10_000;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The task as it is, everything that happened in it so far unless `onlyNew`, and then what happens, until the signal aborts
 * or the task is over and all of it was told. Throws what keeps it from reading on.
 */
export async function* followTask(
  rooms: HostRooms,
  taskId: string,
  options: { readonly signal: AbortSignal; readonly onlyNew?: boolean },
): AsyncGenerator<TaskNews> {
  const queue = new NewsQueue(options.signal);
  using _watch = rooms.owners.watch(taskId, (activity) => queue.addActivity({ type: 'activity', activity }));
  const reader = new JournalReader(rooms, taskId, options.onlyNew === true);
  const look = () => {
    try {
      queue.add(...reader.news());
    } catch (error) {
      queue.fail(error);
    }
  };
  // Nobody may be at work on the task, and a bell alone keeps no process from ending.
  const staying = setInterval(() => {}, LONGEST_TIMER_MS);
  const stopWatching = rooms.store.onCommit(look);
  try {
    look();
    yield* queue.take();
  } finally {
    clearInterval(staying);
    stopWatching();
  }
}

/** Reads what the store has and was not told yet. */
class JournalReader {
  readonly #rooms: HostRooms;
  readonly #taskId: string;
  #seq = 0;
  #told: string | undefined;

  constructor(rooms: HostRooms, taskId: string, onlyNew: boolean) {
    this.#rooms = rooms;
    this.#taskId = taskId;
    if (onlyNew) this.#seq = rooms.store.readEvents(taskId).at(-1)?.seq ?? 0;
  }

  news(): TaskNews[] {
    const record = this.#rooms.journal.find(this.#taskId);
    if (record === undefined) return [{ type: 'gone' }];
    const events = this.#rooms.store.readEvents(this.#taskId, { afterSeq: this.#seq });
    this.#seq = events.at(-1)?.seq ?? this.#seq;
    const news: TaskNews[] = events.map(({ seq, timestamp, type, data }) => ({
      type: 'event',
      event: { seq, timestamp, type, data },
    }));
    if (record.updated_at !== this.#told) news.push({ type: 'status', status: viewTask(record) });
    this.#told = record.updated_at;
    return news;
  }
}

class NewsQueue {
  readonly #signal: AbortSignal;
  readonly #waiting: TaskNews[] = [];
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  add(...news: readonly TaskNews[]): void {
    this.#waiting.push(...news);
    this.#wake();
  }

  addActivity(news: TaskNews): void {
    if (this.#waiting.length < MAX_WAITING) this.add(news);
  }

  /** What was told before is still taken. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  async *take(): AsyncGenerator<TaskNews> {
    while (!this.#signal.aborted) {
      const news = this.#waiting.shift();
      if (news === undefined) {
        if (this.#failure !== undefined) throw this.#failure.error;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      yield news;
      if (news.type === 'gone') return;
      if (news.type === 'status' && isTerminal(news.status.state) && this.#waiting.length === 0) return;
    }
  }
}
