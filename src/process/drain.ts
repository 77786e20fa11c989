import type { Readable } from 'node:stream';

/** A pipe that nobody writes to for this long after the program's end is given up. */
const IDLE_MS = 100;
const DRAIN_MS = 2_000;

/**
 * Reads on until the pipes end, then gives them up: a grandchild that left the group may hold them open for ever. Needs a
 * consumer that reads. Resolves at the latest 2 s after the program's end, with every pipe closed.
 */
export async function drain(streams: readonly (Readable | null | undefined)[]): Promise<void> {
  const open = streams.filter((stream) => stream !== null && stream !== undefined);
  const deadline = Date.now() + DRAIN_MS;
  for (let read = -1; open.some((stream) => !stream.closed) && Date.now() < deadline; ) {
    const sum = bytesRead(open);
    const waiting = open.some((stream) => stream.readableLength > 0);
    if (sum === read && !waiting) break;
    read = sum;
    await closedOrIdle(open);
  }
  for (const stream of open) stream.destroy();
}

function bytesRead(streams: readonly Readable[]): number {
  return streams.reduce((sum, stream) => sum + ((stream as { bytesRead?: number }).bytesRead ?? 0), 0);
}

function closedOrIdle(streams: readonly Readable[]): Promise<void> {
  return new Promise((resolve) => {
    const open = streams.filter((stream) => !stream.closed);
    let left = open.length;
    const done = () => {
      clearTimeout(timer);
      for (const stream of open) stream.off('close', oneClosed);
      resolve();
    };
    const oneClosed = () => {
      left -= 1;
      if (left === 0) done();
    };
    // After the timer one look at the pipes: when this process itself was busy, their last bytes are still unread.
    const timer = setTimeout(() => setImmediate(done), IDLE_MS);
    for (const stream of open) stream.once('close', oneClosed);
  });
}
