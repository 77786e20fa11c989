import { redactDeep } from '../base/index.ts';
import { eventText } from './events.ts';

const MAX_MEMBERS = 30;
const MAX_TEXT_BYTES = 2_000;
const MAX_DETAIL_BYTES = 8 * 1024;
const MAX_DEPTH = 5;

/** What a supervisor is shown of a tool call: its input and texts, bounded, controls escaped, secrets redacted. */
export function questionDetail(
  toolCall: Readonly<Record<string, unknown>>,
  hide: (text: string) => string,
): Record<string, unknown> {
  const { kind, toolCallId, rawInput, locations, content } = toolCall;
  const whole = { kind, toolCallId, input: rawInput, locations, content };
  const detail = bounded(whole, hide, 0) as Record<string, unknown>;
  if (Buffer.byteLength(JSON.stringify(detail)) <= MAX_DETAIL_BYTES)
    return redactDeep(detail) as Record<string, unknown>;
  return { kind: detail['kind'], toolCallId: detail['toolCallId'], input: shortened(detail['input']), truncated: true };
}

function bounded(value: unknown, hide: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return eventText(hide(value.slice(0, 4 * MAX_TEXT_BYTES)), MAX_TEXT_BYTES);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return undefined;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value))
    return value.slice(0, MAX_MEMBERS).map((member) => bounded(member, hide, depth + 1) ?? null);
  const members = Object.entries(value).slice(0, MAX_MEMBERS);
  const kept = members.map(([key, member]) => [eventText(key, 100), bounded(member, hide, depth + 1)] as const);
  return Object.fromEntries(kept.filter(([, member]) => member !== undefined));
}

function shortened(input: unknown): string {
  return eventText(JSON.stringify(input ?? null), MAX_TEXT_BYTES);
}
