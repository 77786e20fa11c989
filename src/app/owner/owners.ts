import { setTimeout as delay } from 'node:timers/promises';
import { type Log, RemitError } from '../../base/index.ts';
import { isSameProcess } from '../../process/index.ts';
import type { Owner } from '../../store/index.ts';
import { type Activity, type ActivityFeed, isTerminal, type Journal, ownershipOf } from '../../task/index.ts';
import type { CallContext } from '../operations.ts';
import { viewTask } from '../task-view.ts';
import { type ControlAction, controlOutputSchema, type TaskView } from '../wire-schemas.ts';
import { askOwner, OwnerGone, openFeed } from './ask-owner.ts';
import { OWNER_PATHS } from './owner-server.ts';

/** An owner that lives but does not answer for so long is named, so that a person can end it. */
const ANSWER_MS = 60_000;

/** How often is looked whether a process has ended whose socket is closed: most are gone at once, one that ends in order needs longer. */
const SOON_MS = 50;
const SOON_ROUNDS = 100;
const LATER_MS = 1_000;

interface OwnersTools {
  readonly journal: Journal;
  readonly feed: ActivityFeed;
  readonly recover: (taskId: string) => Promise<void>;
  readonly log: Log;
}

/** What another process owns is done by it: a task is never worked on from two places. When it is dead, the task is landed. */
export class Owners {
  readonly #tools: OwnersTools;

  constructor(tools: OwnersTools) {
    this.#tools = tools;
  }

  /**
   * Has the task's owner do it and gives its answer; undefined when the task is this process's, or nobody's, or became so
   * because its owner died meanwhile: then the caller acts, on the task as it is now.
   */
  async control(input: ControlAction, waitSeconds: number, context: CallContext): Promise<TaskView | undefined> {
    const taskId = input.task_id;
    const { journal } = this.#tools;
    if (isTerminal(journal.read(taskId).status.state)) return undefined;
    const owner = this.#livingOther(taskId);
    if (owner === undefined) return undefined;
    const stopReporting = journal.listen(taskId, (record) => {
      if (record) context.progress.report(`${record.status.state}: ${record.status.phase}`);
    });
    const forwarded = input.action === 'finalize' ? { ...input, wait_timeout_seconds: waitSeconds } : input;
    try {
      const limitMs = ANSWER_MS + (input.action === 'finalize' ? waitSeconds * 1000 : 0);
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(limitMs)]);
      const body = { input: forwarded };
      return controlOutputSchema.parse(await askOwner(reachable(owner), OWNER_PATHS.control, body, signal));
    } catch (error) {
      if (!(error instanceof OwnerGone)) throw error;
      if (context.signal.aborted) return viewTask(journal.read(taskId));
      await this.#land(owner, taskId);
      if (isSameProcess(owner.pid, owner.startTime)) throw silent(owner);
      const record = journal.read(taskId);
      return isTerminal(record.status.state) ? viewTask(record) : undefined;
    } finally {
      stopReporting();
    }
  }

  /** Before a paused task is resumed here: its living owner ends the idle worker, since two would share one worktree. */
  async release(taskId: string): Promise<void> {
    const owner = this.#livingOther(taskId);
    if (owner?.socket == null) return;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      await askOwner(owner.socket, OWNER_PATHS.release, { task_id: taskId }, signal);
    } catch (error) {
      if (!(error instanceof OwnerGone)) throw error;
      await this.#land(owner, taskId);
      if (isSameProcess(owner.pid, owner.startTime)) throw silent(owner);
    }
  }

  /**
   * Hears what goes on in a task, whichever process owns it, and lands the task at once when that dies, so that who waits
   * for a change hears of it. The answer ends it.
   */
  watch(taskId: string, listener: (activity: Activity) => void = () => {}): Disposable {
    const { journal, feed, recover, log } = this.#tools;
    let heard: { ownerId: string; close: () => void } | undefined;
    const look = () => {
      const owner = this.#livingOther(taskId);
      if (owner?.ownerId === heard?.ownerId) return;
      heard?.close();
      heard = undefined;
      if (owner?.socket == null) return;
      const opened = openFeed(owner.socket, taskId, listener);
      const mine = { ownerId: owner.ownerId, close: opened.close };
      heard = mine;
      void opened.ended
        .then(() => untilEnded(owner, () => heard === mine))
        .then(() => (heard === mine ? recover(taskId) : undefined))
        .catch((error) => log('warn', 'a task could not be landed', { task: taskId, error: String(error) }));
    };
    const stopListening = journal.listen(taskId, look);
    const stopHearing = feed.listen(taskId, listener);
    look();
    return {
      [Symbol.dispose]() {
        stopListening();
        stopHearing();
        const last = heard;
        heard = undefined;
        last?.close();
      },
    };
  }

  #livingOther(taskId: string): Owner | undefined {
    const ownership = ownershipOf(this.#tools.journal, taskId);
    return ownership.kind === 'living' ? ownership.owner : undefined;
  }

  /** Its socket is closed: when the process has really ended, soon, the task lands as after any death of its host. */
  async #land(owner: Owner, taskId: string): Promise<void> {
    await untilEnded(owner, (round) => round < SOON_ROUNDS);
    await this.#tools.recover(taskId);
  }
}

/** Settles when the process has ended, or when it is not to be waited for any longer. */
async function untilEnded({ pid, startTime }: Owner, isAwaited: (round: number) => boolean): Promise<void> {
  for (let round = 0; isAwaited(round) && isSameProcess(pid, startTime); round += 1) {
    await delay(round < SOON_ROUNDS ? SOON_MS : LATER_MS);
  }
}

function reachable(owner: Owner): string {
  if (owner.socket !== null) return owner.socket;
  throw new RemitError(
    'invalid_state',
    `This task belongs to another Remit process (pid ${owner.pid}) that takes no commands: use the client that delegated it, or end that client first.`,
    { details: { owner_pid: owner.pid } },
  );
}

function silent(owner: Owner): RemitError {
  return new RemitError(
    'invalid_state',
    `The Remit process that has this task (pid ${owner.pid}) does not answer: end it (kill ${owner.pid}), then try again; its task is kept and taken over.`,
    { details: { owner_pid: owner.pid }, retryable: true },
  );
}
