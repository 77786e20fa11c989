import type { Message } from '../models/model.ts';

/** Of a whole conversation in bytes: what goes to the model in its messages. */
export function conversationBytes(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(textOf(message)), 0);
}

export interface CompactionOptions {
  /** How much of the newest messages stays as it is, at most. */
  readonly keepBytes: number;
  /** Says in a few paragraphs what a conversation came to; what it says is a claim and proves nothing. */
  readonly summarise: (conversation: string) => Promise<string | undefined>;
}

/** Of what a summary is made from; the middle is left out beyond it. */
const SUMMARISED_BYTES = 256 * 1024;
const SUMMARY_BYTES = 16 * 1024;
const SHOWN_OF_A_MESSAGE = 4 * 1024;
/** In characters. */
const LEAST_OF_AN_ANSWER = 1024;

const HEADING = '[Earlier messages were taken out to make room. What they came to, in your own words:]';

/**
 * A shorter conversation: the task and what was asked since as they were given, a summary, and the newest messages whole. A
 * call is never parted from its answers. Answers the same messages when nothing can be taken out.
 */
export async function compact(messages: readonly Message[], options: CompactionOptions): Promise<readonly Message[]> {
  const from = firstKept(messages, options.keepBytes);
  const [task, ...earlier] = messages.slice(0, from);
  const newest = fitting(messages.slice(from), options.keepBytes);
  const asked = newestAsked(earlier, options.keepBytes);
  const before = earlier.filter((message) => !asked.includes(message));
  if (task === undefined) return messages;
  if (before.length === 0)
    return newest.every((message, at) => message === messages[from + at]) ? messages : [task, ...asked, ...newest];
  const summary = (await options.summarise(conversationText(before))) ?? digestOf(before);
  const kept: Message = { role: 'user', text: `${HEADING}\n${cut(summary.toWellFormed(), SUMMARY_BYTES)}` };
  return [task, ...asked, kept, ...newest];
}

/** A repair or a word in mid-turn binds as the task does. */
function newestAsked(messages: readonly Message[], mostBytes: number): readonly Message[] {
  let bytes = 0;
  return messages
    .filter((message) => message.role === 'user' && message.asked === true)
    .toReversed()
    .filter((message) => {
      bytes += conversationBytes([message]);
      return bytes <= mostBytes;
    })
    .toReversed();
}

/** The answers to the last calls alone may be too much: then each keeps its beginning and its end. */
function fitting(messages: readonly Message[], mostBytes: number): readonly Message[] {
  if (conversationBytes(messages) <= mostBytes) return messages;
  const answers = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  const share = Math.max(LEAST_OF_AN_ANSWER, Math.floor(mostBytes / Math.max(1, answers.length)));
  return messages.map((message) => {
    if (message.role !== 'tool' || message.results.every(({ text }) => text.length <= share)) return message;
    return { ...message, results: message.results.map((result) => ({ ...result, text: cut(result.text, share) })) };
  });
}

/** The first message of the newest that fit, at least the last answer with what its calls were answered; one that answers calls cannot be the first. */
function firstKept(messages: readonly Message[], keepBytes: number): number {
  let bytes = 0;
  let from = messages.length;
  for (let at = messages.length - 1; at > 0; at -= 1) {
    bytes += conversationBytes(messages.slice(at, at + 1));
    if (bytes > keepBytes && from < messages.length) break;
    if (messages[at]?.role === 'tool') continue;
    from = at;
    if (bytes > keepBytes) break;
  }
  return from;
}

function conversationText(messages: readonly Message[]): string {
  const texts = messages.map((message) => `${message.role}:\n${cut(textOf(message), SHOWN_OF_A_MESSAGE)}`);
  return cut(texts.join('\n\n'), SUMMARISED_BYTES);
}

/** Where no model can be asked: which calls there were. */
function digestOf(messages: readonly Message[]): string {
  const lines = messages.flatMap((message) => {
    if (message.role === 'user') return [`Told: ${cut(message.text, 500)}`];
    if (message.role === 'tool') return [];
    return message.parts.flatMap((part) => {
      if (part.kind === 'text') return [`Said: ${cut(part.text, 300)}`];
      return part.kind === 'call' ? [`Called ${part.name} ${cut(part.input, 200)}`] : [];
    });
  });
  return lines.join('\n');
}

function textOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return message.text;
    case 'assistant':
      return message.parts.map((part) => (part.kind === 'call' ? `${part.name} ${part.input}` : part.text)).join('\n');
    case 'tool':
      return message.results.map(({ name, text }) => `${name}: ${text}`).join('\n');
  }
}

/** Its beginning and its end. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2) - 8;
  return `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`.toWellFormed();
}
