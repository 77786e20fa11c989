import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;
let sliceStart = 0;

/**
 * Lets other tasks run when synchronous file calls have held the thread for more than 10 ms. Such calls are many times
 * faster than their promises when there are thousands of them.
 */
export async function breathe(): Promise<void> {
  const now = performance.now();
  if (now - sliceStart < SLICE_MS) return;
  await setImmediate();
  sliceStart = performance.now();
}
