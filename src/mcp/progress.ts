import type { ServerContext } from '@modelcontextprotocol/server';
import { truncateUtf8, visibleLine } from '../base/index.ts';

/** The wire asks for a sign of life at least every 15 s. */
const BEAT_MS = 10_000;
/** Closer together than this only the latest news is kept, for the next beat. */
const LEAST_GAP_MS = 1_000;
const MAX_MESSAGE_BYTES = 500;

export interface FollowedProgress extends Disposable {
  readonly requested: boolean;
  report(message: string): void;
}

/** Keeps a client that sent a progress token informed until disposed; says nothing to any other. */
export function followProgress({ mcpReq }: ServerContext): FollowedProgress {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { requested: false, report() {}, [Symbol.dispose]() {} };

  let progress = 0;
  let message = 'working';
  let lastSent = Number.NEGATIVE_INFINITY;
  let ended = false;
  const send = () => {
    if (ended || mcpReq.signal.aborted) return;
    progress += 1;
    lastSent = performance.now();
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken: token, progress, message } })
      .catch(() => {});
  };
  const beat = setInterval(send, BEAT_MS);
  return {
    requested: true,
    report(news) {
      message = truncateUtf8(visibleLine(news), MAX_MESSAGE_BYTES);
      if (performance.now() - lastSent >= LEAST_GAP_MS) send();
    },
    [Symbol.dispose]() {
      ended = true;
      clearInterval(beat);
    },
  };
}
