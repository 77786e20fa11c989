import { mergeToolFacts, readToolFacts, type ToolFacts } from './tool-facts.ts';

/** Calls remembered at once; the oldest is forgotten first. */
const MAX_CALLS = 512;

/** What was said about each tool call of a session, joined by its id. */
export class ToolCalls {
  readonly #known = new Map<string, ToolFacts>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Takes a `tool_call`, a `tool_call_update` or a request's `toolCall`; answers all that is known of that call now. */
  learn(toolCall: unknown): ToolFacts | undefined {
    const facts = readToolFacts(toolCall);
    if (facts === undefined) return undefined;
    const joined = mergeToolFacts(this.#known.get(facts.id), facts);
    this.#known.delete(facts.id);
    this.#known.set(facts.id, joined);
    if (this.#known.size > MAX_CALLS) this.#forgetOldest();
    for (const wake of this.#waiting.get(facts.id) ?? []) wake();
    return joined;
  }

  /** The facts of a call once they satisfy, or as they are when the time is over or the signal aborts. */
  async factsWhen(
    id: string,
    satisfies: (facts: ToolFacts) => boolean,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ToolFacts | undefined> {
    const until = performance.now() + waitMs;
    for (;;) {
      const facts = this.#known.get(id);
      const left = until - performance.now();
      if (facts === undefined || satisfies(facts) || left <= 0 || signal.aborted) return facts;
      await this.#change(id, left, signal);
    }
  }

  forgetAll(): void {
    this.#known.clear();
  }

  #change(id: string, waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wakers = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, wakers);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        wakers.delete(done);
        if (wakers.size === 0) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      signal.addEventListener('abort', done, { once: true });
      wakers.add(done);
    });
  }

  #forgetOldest(): void {
    const oldest = this.#known.keys().next();
    if (!oldest.done) this.#known.delete(oldest.value);
  }
}
