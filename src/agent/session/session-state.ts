import type { Observation } from '../../evidence/index.ts';
import type { CallPart, Message, ToolAnswer } from '../models/model.ts';
import type { Intent, SessionEntry } from './session-log.ts';
import { NOTHING_USED, type SessionUsage } from './session-usage.ts';

/** A session as its entries tell it. */
export interface SessionState {
  readonly messages: readonly Message[];
  /** Everything that was seen, in order. */
  readonly ledger: readonly Observation[];
  readonly usage: SessionUsage;
  /** Calls of the last answer without a result; `intent` when it may have been run. */
  readonly unfinished: readonly UnfinishedCall[];
}

export interface UnfinishedCall {
  readonly call: CallPart;
  readonly intent: Intent | undefined;
}

export function stateOf(entries: readonly SessionEntry[]): SessionState {
  const replay = new Replay();
  for (const entry of entries) replay.take(entry);
  return replay.state();
}

class Replay {
  #messages: Message[] = [];
  readonly #ledger: Observation[] = [];
  #usage = NOTHING_USED;
  #calls: readonly CallPart[] = [];
  #answers = new Map<string, ToolAnswer>();
  #intents = new Map<string, Intent>();

  take(entry: SessionEntry): void {
    switch (entry.kind) {
      case 'message':
        this.#say(entry.message);
        return;
      case 'intent':
        this.#intents.set(entry.id, entry);
        return;
      case 'result':
        this.#ledger.push(...entry.observations);
        this.#answer(entry.answer);
        return;
      case 'observed':
        this.#ledger.push(...entry.observations);
        return;
      case 'compaction':
        this.#messages = [...entry.messages];
        return;
      case 'usage':
        this.#usage = entry.usage;
        return;
      case 'turn_end':
        return;
    }
  }

  state(): SessionState {
    const unfinished = this.#calls
      .filter(({ id }) => !this.#answers.has(id))
      .map((call) => ({ call, intent: this.#intents.get(call.id) }));
    return { messages: this.#messages, ledger: this.#ledger, usage: this.#usage, unfinished };
  }

  #say(message: Message): void {
    this.#messages.push(message);
    if (message.role !== 'assistant') return;
    this.#calls = message.parts.filter((part) => part.kind === 'call');
    this.#answers = new Map();
    this.#intents = new Map();
  }

  /** A model wants the answers to all calls at once, in their order. */
  #answer(answer: ToolAnswer): void {
    this.#answers.set(answer.id, answer);
    if (this.#calls.some(({ id }) => !this.#answers.has(id))) return;
    this.#messages.push({ role: 'tool', results: this.#calls.flatMap(({ id }) => this.#answers.get(id) ?? []) });
  }
}
