import { redact, truncateUtf8, visibleText } from '../base/index.ts';
import type { Usage } from './usage.ts';

/** What a worker reports while it lives. Texts are bounded, their controls escaped, their secrets redacted. */
export type WorkerEvent =
  | {
      readonly type: 'session';
      readonly sessionId: string;
      readonly agent: { readonly name?: string; readonly version?: string };
      readonly mode?: string;
      readonly workMode?: string;
      readonly effort?: string;
      readonly contextLost: boolean;
      /** Settings of the lane that the agent does not offer. */
      readonly notOffered: readonly string[];
    }
  | { readonly type: 'message'; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly toolCallId: string;
      readonly title: string;
      readonly kind: string;
      readonly status: string;
      readonly paths: readonly string[];
    }
  | { readonly type: 'decision'; readonly action: string; readonly decision: string; readonly clause: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'phase'; readonly phase: string }
  /** The end of what the worker wrote to stderr since the last such event. */
  | { readonly type: 'stderr'; readonly text: string }
  /** The worker did what the protocol forbids or what Remit refuses to bear. */
  | { readonly type: 'warning'; readonly text: string };

const MAX_EVENT_TEXT_BYTES = 8 * 1024;

/** Text of a worker as an event may carry it. */
export function eventText(text: string, maxBytes = MAX_EVENT_TEXT_BYTES): string {
  // Cut first, so that a huge text costs little; redaction can only lengthen it by its marks.
  const cut = text.length > 2 * maxBytes ? text.slice(0, 2 * maxBytes) : text;
  return truncateUtf8(visibleText(redact(cut)), maxBytes);
}

/** The same for one line. */
export function eventLine(text: string, maxBytes = 500): string {
  return truncateUtf8(eventText(text, 4 * maxBytes).replaceAll('\n', ' '), maxBytes);
}
