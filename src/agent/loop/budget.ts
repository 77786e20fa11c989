import type { ModelUsage } from '../models/model.ts';
import type { Budget, Price } from '../models/settings.ts';

/** What one prompt may use. A further prompt begins anew, so that going on after a pause grants as much again. */
export class Spending {
  readonly #budget: Budget;
  readonly #price: Price | undefined;
  readonly #began = Date.now();
  #requests = 0;
  #tokens = 0;
  #cost = 0;

  constructor(budget: Budget, price: Price | undefined) {
    this.#budget = budget;
    this.#price = price;
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
    if (seconds !== undefined && Date.now() - this.#began >= seconds * 1000) return told(`${seconds} s`, 'seconds');
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
