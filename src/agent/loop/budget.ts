import type { ModelUsage } from '../models/model.ts';
import type { Budget, Price } from '../models/settings.ts';

/** What a timer can count to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What one prompt may use. A further prompt begins anew, so that going on after a pause grants as much again. */
export class Spending {
  readonly #budget: Budget;
  readonly #price: Price | undefined;
  /** When its seconds are over; a request or a command that runs then ends. */
  readonly timeIsUp: AbortSignal;
  #requests = 0;
  #tokens = 0;
  #cost = 0;

  constructor(budget: Budget, price: Price | undefined) {
    this.#budget = budget;
    this.#price = price;
    const { seconds } = budget;
    this.timeIsUp =
      seconds === undefined
        ? new AbortController().signal
        : AbortSignal.timeout(Math.min(seconds * 1000, LONGEST_TIMER_MS));
  }

  add(usage: ModelUsage): void {
    this.#requests += 1;
    this.#tokens += usage.input + usage.output;
    if (this.#price !== undefined) this.#cost += costOf(usage, this.#price);
  }

  /** Which limit is reached, and how to raise it; `undefined` while none is. */
  spent(): string | undefined {
    const { requests, tokens, seconds, cost } = this.#budget;
    if (requests !== undefined && this.#requests >= requests)
      return told(`${requests} requests to the model`, 'requests');
    if (tokens !== undefined && this.#tokens >= tokens) return told(`${tokens} tokens`, 'tokens');
    if (this.timeIsUp.aborted) return told(`${seconds} s`, 'seconds');
    if (cost !== undefined && this.#cost >= cost)
      return told(`a cost of ${cost} ${this.#price?.currency ?? ''}`.trim(), 'cost');
    return undefined;
  }
}

function told(what: string, name: string): string {
  return `The budget of ${what} is spent; the work so far is kept. Resume to grant as much again, or raise the budget (REMIT_MAX_${name.toUpperCase()}, or budget.${name} of the worker).`;
}

/** In the price's currency. */
export function costOf({ input, cachedInput, output }: Omit<ModelUsage, 'reasoning'>, price: Price): number {
  const cached = price.cachedInput ?? price.input;
  return ((input - cachedInput) * price.input + cachedInput * cached + output * price.output) / 1_000_000;
}
