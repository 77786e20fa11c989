import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

/**
 * Lets other tasks run while one makes thousands of synchronous file calls, which are many times faster than their
 * promises: `take` waits for a turn when more than 10 ms have passed since the last.
 */
export class Breath {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
