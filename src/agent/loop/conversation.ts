import type { Observation } from '../../evidence/index.ts';
import type { CallPart, Message, ToolAnswer } from '../models/model.ts';
import type { Intent, SessionLog } from '../session/session-log.ts';
import type { SessionState } from '../session/session-state.ts';

/** What was said and seen in a session, in memory and in its log alike. */
export class Conversation {
  readonly #log: SessionLog;
  readonly #ledger: Observation[];
  #messages: readonly Message[];

  constructor(log: SessionLog, state: Pick<SessionState, 'messages' | 'ledger'>) {
    this.#log = log;
    this.#messages = state.messages;
    this.#ledger = [...state.ledger];
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get ledger(): readonly Observation[] {
    return this.#ledger;
  }

  async say(message: Message): Promise<void> {
    await this.#log.append({ kind: 'message', message });
    this.#messages = [...this.#messages, message];
  }

  /** Before a call that may change something. */
  async intend({ id, name, input }: CallPart, before: Intent['before']): Promise<void> {
    await this.#log.append({ kind: 'intent', id, tool: name, input, before });
  }

  /** What a call saw is known to the next call at once; what it answered is said when all calls are answered. */
  async learn(answer: ToolAnswer, observations: readonly Observation[]): Promise<void> {
    await this.#log.append({ kind: 'result', answer, observations });
    this.#ledger.push(...observations);
  }

  /** The log has these already, one by one. */
  answered(results: readonly ToolAnswer[]): void {
    this.#messages = [...this.#messages, { role: 'tool', results }];
  }

  async observe(observations: readonly Observation[]): Promise<void> {
    if (observations.length === 0) return;
    await this.#log.append({ kind: 'observed', observations });
    this.#ledger.push(...observations);
  }

  async replace(messages: readonly Message[]): Promise<void> {
    if (messages === this.#messages) return;
    await this.#log.append({ kind: 'compaction', messages });
    this.#messages = messages;
  }
}
