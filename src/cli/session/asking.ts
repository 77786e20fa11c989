import type { TaskDetail, TaskView } from '../../app/index.ts';
import { paragraph } from '../render/foreign-text.ts';
import { askPause } from './ask-pause.ts';
import { askQuestion } from './ask-question.ts';
import { askReview } from './ask-review.ts';
import type { Step } from './next-step.ts';
import { reviewLines, unchangedLines } from './review-text.ts';
import type { SessionTools } from './session-tools.ts';
import { showDiff } from './show-diff.ts';
import type { Wish } from './wish.ts';

type AskingStep = Extract<Step, { do: 'ask_answer' | 'ask_pause' | 'ask_review' }>;

/** Puts to the person what a task waits for, and takes the question back when the task goes on without the answer. */
export class Asking {
  readonly #tools: SessionTools;
  #open: { readonly about: string; readonly moved: AbortController } | undefined;
  /** The candidate that was shown, with what the person said to its criteria. */
  #reviewed: { readonly tree: string; revision: number; readonly answers: Map<string, boolean> } | undefined;

  /** The last reason for a task's being back at review that was shown. */
  #told: string | undefined;

  constructor(tools: SessionTools) {
    this.#tools = tools;
  }

  /** The task changed: a question about what it was before is idle. */
  hear(status: TaskView): void {
    if (this.#open === undefined || this.#open.about === standing(status)) return;
    this.#open.moved.abort();
  }

  told(reason: string): void {
    this.#told = reason;
  }

  /** Undefined when the question became idle or the person leaves. */
  async ask(step: AskingStep, detail: TaskDetail): Promise<Wish | undefined> {
    const { screen, detach } = this.#tools;
    const moved = new AbortController();
    this.#open = { about: standing(detail.status), moved };
    try {
      const wish = await this.#ask(step, detail, moved.signal);
      if (moved.signal.aborted && !detach.isAsked) screen.say(['', '• the task went on meanwhile']);
      return moved.signal.aborted ? undefined : wish;
    } finally {
      this.#open = undefined;
    }
  }

  async #ask(step: AskingStep, detail: TaskDetail, signal: AbortSignal): Promise<Wish | undefined> {
    const { screen } = this.#tools;
    const prompts = await this.#tools.prompts();
    const place = { screen, prompts, signal };
    switch (step.do) {
      case 'ask_answer':
        return askQuestion(step.interaction, place);
      case 'ask_pause':
        return askPause(detail, place);
      case 'ask_review': {
        const show = () => this.#showDiff(AbortSignal.any([signal, this.#tools.detach.signal]));
        const answers = await this.#present(detail, show);
        return askReview(detail, answers, { ...place, showDiff: show });
      }
    }
  }

  /** Shows a candidate when it is first asked about; what was said to it stays said. */
  async #present(detail: TaskDetail, show: () => Promise<void>): Promise<Map<string, boolean>> {
    const { screen } = this.#tools;
    const tree = detail.status.review_tree_hash ?? '';
    const { reason, review_revision: revision = 0 } = detail.status;
    const isTold = reason === undefined || reason === this.#told;
    this.#told = reason;
    if (this.#reviewed?.tree === tree) {
      if (!isTold) screen.say([paragraph('! ', reason, screen.width).replace('!', screen.style('red', '!'))]);
      if (this.#reviewed.revision !== revision) screen.say(unchangedLines(detail, screen.style, screen.width));
      this.#reviewed.revision = revision;
      return this.#reviewed.answers;
    }
    screen.say(reviewLines(detail, screen.style, screen.width));
    await show();
    const answers = new Map<string, boolean>();
    this.#reviewed = { tree, revision, answers };
    return answers;
  }

  async #showDiff(signal: AbortSignal): Promise<void> {
    const { desk, taskId, screen } = this.#tools;
    const diff = await desk.diff(taskId);
    await showDiff(diff, { screen, terminal: process.stderr.fd, environment: process.env, signal });
  }
}

/** What a question is about: another revision, pause or open question is another thing. */
function standing({ state, phase, review_revision, pause_revision, updated_at }: TaskView): string {
  const isQuestion = state === 'waiting_permission' || state === 'waiting_input';
  return JSON.stringify([state, phase, review_revision, pause_revision, isQuestion ? updated_at : '']);
}
