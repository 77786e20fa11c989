import type { TaskNews, TaskView } from '../../app/index.ts';
import type { Style } from '../terminal.ts';
import { checkNewsLines } from './check-news.ts';
import { eventLines } from './event-lines.ts';
import { paragraphs, quoted } from './foreign-text.ts';
import { clockText } from './measures.ts';
import { stateText, stateWords } from './states.ts';

type Activity = Extract<TaskNews, { type: 'activity' }>['activity'];
type EventRow = Extract<TaskNews, { type: 'event' }>['event'];

/** So many characters without the end of a line are told as one. */
const MOST_UNENDED = 4_096;

/** Turns what happens in a task into lines, one after the other: ours begin with the time, a worker's stand behind a margin. */
export class NewsLines {
  readonly #style: Style;
  readonly #width: number;
  readonly #toolCalls = new Map<string, string>();
  #phase = '';
  /** Words of the worker that do not end with a line yet. */
  #words = '';
  #hasSpoken = false;
  #told = '';

  constructor(style: Style, width: number) {
    this.#style = style;
    this.#width = width;
  }

  tell(news: TaskNews): string[] {
    switch (news.type) {
      case 'activity':
        return this.#activity(news.activity);
      case 'event':
        return [...this.rest(), ...this.#event(news.event)];
      case 'status':
        return [...this.rest(), ...this.#status(news.status)];
      case 'gone':
        return [...this.rest(), 'The task failed before it began and was taken back.'];
    }
  }

  /** The words that wait for the end of their line. */
  rest(): string[] {
    const words = this.#words;
    this.#words = '';
    return words.trim() === '' ? [] : quoted(words, this.#style, this.#width);
  }

  #activity(activity: Activity): string[] {
    if (activity.type === 'usage') return [];
    if (activity.type !== 'message') return [...this.rest(), ...checkNewsLines(activity, this.#style, this.#width)];
    this.#hasSpoken = true;
    const text = this.#words + activity.text;
    const newline = text.lastIndexOf('\n');
    // A worker that never ends a line must not fill the memory.
    const end = text.length - newline > MOST_UNENDED ? text.length : newline;
    this.#words = text.slice(end + 1);
    const whole = text.slice(0, Math.max(0, end));
    return whole.trim() === '' ? [] : quoted(whole, this.#style, this.#width);
  }

  #event(event: EventRow): string[] {
    const { type, data } = event;
    const facts = (data ?? {}) as Record<string, unknown>;
    if (type === 'worker_tool_call' && !this.#isNews(facts)) return [];
    if (type === 'worker_phase' && !this.#isNewPhase(String(facts['phase']))) return [];
    if (type === 'prompt_begun') this.#hasSpoken = false;
    // Who followed live has read it already.
    const hidden = type === 'turn_ended' && this.#hasSpoken ? { ...event, data: { ...facts, claim: '' } } : event;
    return eventLines(hidden, this.#style, this.#width);
  }

  /** A tool call is told when it begins and when it fails, not at each step. */
  #isNews({ toolCallId, title, status }: Record<string, unknown>): boolean {
    const id = String(toolCallId);
    const now = `${title} ${status === 'failed' ? 'failed' : ''}`;
    if (this.#toolCalls.get(id) === now) return false;
    this.#toolCalls.set(id, now);
    return true;
  }

  /** An agent that asks goes to and fro at each step; what it asks for, and what it is answered, is told by itself. */
  #isNewPhase(phase: string): boolean {
    if (phase.startsWith('waiting_') || phase === this.#phase) return false;
    this.#phase = phase;
    return true;
  }

  #status(status: TaskView): string[] {
    const now = `${stateWords(status)}\n${status.reason ?? ''}`;
    if (now === this.#told) return [];
    this.#told = now;
    return [
      `${clockText(status.updated_at)}  ${stateText(status, this.#style)}`,
      ...(status.reason === undefined ? [] : [paragraphs('          ', status.reason, this.#width)]),
    ];
  }
}
