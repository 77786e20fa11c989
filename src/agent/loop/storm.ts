import type { CallPart, ToolAnswer } from '../models/model.ts';

/** How often the same call may give the same answer before the model is told, and before the turn ends. */
const TOLD_AT = 3;
const ENDED_AT = 6;
const FAILURES_IN_A_ROW = 16;

/** Notices a model that goes round in circles. */
export class Storm {
  #last: string | undefined;
  #repeated = 0;
  #failures = 0;

  /** What was just answered: a word to the model, or the reason to end the turn. */
  look(calls: readonly CallPart[], answers: readonly ToolAnswer[]): { tell?: string; end?: string } {
    const now = JSON.stringify([calls.map(({ name, input }) => [name, input]), answers.map(({ text }) => text)]);
    this.#repeated = now === this.#last ? this.#repeated + 1 : 1;
    this.#last = now;
    this.#failures = answers.every(({ isError }) => isError) ? this.#failures + 1 : 0;
    const names = [...new Set(calls.map(({ name }) => name))].join(', ');
    if (this.#repeated >= ENDED_AT)
      return { end: `The model made the same call (${names}) ${ENDED_AT} times with the same answer.` };
    if (this.#failures >= FAILURES_IN_A_ROW)
      return {
        end: `${FAILURES_IN_A_ROW} answers of the model in a row held only calls that failed (last: ${names}).`,
      };
    if (this.#repeated === TOLD_AT)
      return { tell: `You made this same call ${TOLD_AT} times with the same answer. Do something else, or end.` };
    return {};
  }
}
