import type { TaskDetail, TaskNews } from '../../app/index.ts';
import { RemitError } from '../../base/index.ts';
import { failureLines, refusalLines, untoldEnds } from '../render/finalize-lines.ts';
import { stateWords } from '../render/states.ts';
import { TaskWatch } from '../task-watch.ts';
import { Asking } from './asking.ts';
import { fulfil } from './fulfil.ts';
import { counted, liveLines } from './live-lines.ts';
import { type Ending, leftAt, nextStep, type Step } from './next-step.ts';
import { addNews, NO_PROGRESS, type Progress } from './progress.ts';
import type { SessionTools } from './session-tools.ts';
import { toldLines } from './told-lines.ts';
import type { Wish } from './wish.ts';

export interface SessionEnd {
  readonly detail: TaskDetail;
  /** `detached`: the person left, and the task goes on or waits. */
  readonly ending: Ending | { readonly kind: 'detached' };
  /** Why the commit that this session asked for was not made. */
  readonly refusal: RemitError | undefined;
}

/**
 * Stays with a task until it is over, needs somebody whom this session may not ask, or the person leaves. What comes next
 * is decided by `nextStep` alone; this does it.
 */
export class Session {
  readonly #tools: SessionTools;
  readonly #watch: TaskWatch;
  readonly #asking: Asking;
  #progress: Progress = NO_PROGRESS;
  #isCaughtUp: boolean;
  #resumed = false;
  #finalized = false;
  #refusal: RemitError | undefined;
  /** What the worker is told as soon as it works again. */
  /** Lines that wait until the open question is answered: written into the middle of it they would tear it apart. */
  #held: string[] | undefined;

  constructor(tools: SessionTools) {
    this.#tools = tools;
    this.#isCaughtUp = tools.isNew;
    this.#asking = new Asking(tools);
    this.#watch = new TaskWatch(tools.desk, tools.taskId, (news) => this.#hear(news));
  }

  async run(): Promise<SessionEnd> {
    const { desk, taskId, manner, detach } = this.#tools;
    try {
      for (;;) {
        const seen = this.#watch.changes;
        const detail = await desk.show(taskId);
        if (detach.isAsked) return this.#end(detail, { kind: 'detached' });
        const step = nextStep(detail, manner, { resumed: this.#resumed, finalized: this.#finalized });
        const ending = await this.#take(step, detail, seen);
        if (ending !== undefined) return this.#end(detail, ending);
      }
    } finally {
      this.#tools.screen.rest();
      await this.#watch.close();
    }
  }

  #end(detail: TaskDetail, ending: SessionEnd['ending']): SessionEnd {
    const { screen } = this.#tools;
    screen.rest();
    if (detail.status.state === 'completed') {
      screen.say(untoldEnds(detail, this.#progress.ended, screen));
    }
    return { detail, ending, refusal: this.#refusal };
  }

  async #take(step: Step, detail: TaskDetail, seen: number): Promise<Ending | undefined> {
    const { screen, detach } = this.#tools;
    switch (step.do) {
      case 'end':
        return step.ending;
      case 'watch':
        this.#progress = { ...this.#progress, status: detail.status, usage: this.#progress.usage ?? detail.usage };
        this.#draw();
        await this.#watch.changed(seen, detach.signal);
        return undefined;
      case 'resume':
        await this.#fulfil({ do: 'resume' }, detail);
        return undefined;
      case 'finalize':
        await this.#fulfil(
          { do: 'finalize', approved: step.approved, summary: 'Approved on the command line.' },
          detail,
        );
        return undefined;
      default: {
        screen.rest();
        this.#held = [];
        const wish = await this.#asking.ask(step, detail);
        screen.say(this.#held);
        this.#held = undefined;
        if (wish?.do === 'leave') return leftAt(detail);
        if (wish !== undefined) await this.#fulfil(wish, detail);
        return undefined;
      }
    }
  }

  /** Has it done. Where somebody can be asked, a refusal is told and the next question comes; else it ends the session. */
  async #fulfil(wish: Wish, detail: TaskDetail): Promise<void> {
    const { screen, manner } = this.#tools;
    this.#remember(wish);
    this.#draw();
    try {
      await fulfil(wish, detail.status, this.#tools);
    } catch (error) {
      if (!(error instanceof RemitError)) throw error;
      screen.rest();
      if (wish.do === 'finalize') await this.#tellEnds();
      if (!manner.asks && wish.do !== 'finalize') throw error;
      this.#refusal = error;
      this.#asking.told(error.message);
      const { streamed } = this.#progress;
      if (manner.asks) screen.say(refusalLines(error, streamed, screen));
      else screen.say(failureLines(error, streamed, screen));
    }
  }

  #remember(wish: Wish): void {
    if (wish.do === 'finalize') this.#finalized = true;
    if (wish.do === 'resume') this.#resumed = true;
  }

  async #tellEnds(): Promise<void> {
    const { desk, taskId, screen } = this.#tools;
    const detail = await desk.show(taskId);
    screen.say(untoldEnds(detail, this.#progress.ended, screen));
    this.#progress = { ...this.#progress, ended: new Set(detail.verification.map(({ id }) => id)) };
  }

  #hear(news: TaskNews): void {
    const { screen } = this.#tools;
    const isToldAlready =
      news.type === 'activity' && news.activity.type === 'check_ended' && this.#progress.ended.has(news.activity.id);
    this.#progress = addNews(this.#progress, news);
    if (this.#isCaughtUp && !isToldAlready) {
      const lines = toldLines(news, screen.style, screen.width);
      if (this.#held === undefined) screen.say(lines);
      else this.#held.push(...lines);
    }
    if (news.type !== 'status') return;
    // What waits for somebody is told by its question.
    if (!this.#isCaughtUp && news.status.state === 'running') this.#tellSoFar();
    this.#isCaughtUp = true;
    this.#asking.hear(news.status);
  }

  #tellSoFar(): void {
    const { toolCalls, decisions, denied, files } = this.#progress;
    const calls = Math.max(toolCalls.size, decisions);
    if (calls === 0) return;
    const parts = [counted(calls, 'tool call'), `${denied} denied`, `${counted(files.size, 'file')} written`];
    this.#tools.screen.say([`• so far: ${parts.join(', ')}`]);
  }

  #draw(): void {
    const { screen, taskId } = this.#tools;
    const paint = () => {
      const { since } = this.#progress;
      const elapsed = since === undefined ? 0 : Math.max(0, Date.now() - Date.parse(since));
      return liveLines(taskId, this.#progress, elapsed, screen.style, screen.width);
    };
    const { status } = this.#progress;
    screen.live(paint, `${taskId}: ${status === undefined ? 'is looked at' : stateWords(status)}`);
  }
}
