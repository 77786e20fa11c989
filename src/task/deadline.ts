/** A limit on working time that stands still while a supervisor is asked something. Fires once. */
export class Deadline {
  #remainingMs: number;
  #startedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #onExpired: () => void;

  constructor(limitMs: number, onExpired: () => void) {
    this.#remainingMs = limitMs;
    this.#onExpired = onExpired;
    this.resume();
  }

  pause(): void {
    if (this.#startedAt === undefined) return;
    clearTimeout(this.#timer);
    this.#remainingMs -= performance.now() - this.#startedAt;
    this.#startedAt = undefined;
  }

  resume(): void {
    if (this.#startedAt !== undefined) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onExpired, Math.max(0, this.#remainingMs));
  }

  [Symbol.dispose](): void {
    this.pause();
  }
}
