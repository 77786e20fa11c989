import { redactDeep, truncateUtf8 } from '../base/index.ts';

/** Largest event data in bytes of JSON; the rest of a long text is cut, never the event. */
const MAX_EVENT_BYTES = 16 * 1024;

/** Event data without credentials and within its limit: long strings are cut. */
export function boundEventData(data: Readonly<Record<string, unknown>>): unknown {
  const clean = redactDeep(data);
  const text = JSON.stringify(clean);
  if (Buffer.byteLength(text) <= MAX_EVENT_BYTES) return clean;
  return { truncated: true, bytes: Buffer.byteLength(text), text: truncateUtf8(text, MAX_EVENT_BYTES / 2) };
}
