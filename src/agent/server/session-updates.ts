import type { AgentContext, ToolKind } from '@agentclientprotocol/sdk';
import { visibleLine } from '../../base/index.ts';
import type { Todo } from '../../evidence/index.ts';
import type { ShownCall, TurnListener } from '../loop/listener.ts';
import type { Message } from '../models/model.ts';
import { placePath } from '../place/place-path.ts';
import type { SessionUsage } from '../session/session-usage.ts';

const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: 'read',
  ls: 'search',
  glob: 'search',
  grep: 'search',
  edit_file: 'edit',
  multi_edit: 'edit',
  write_file: 'edit',
  delete_range: 'edit',
  move_file: 'move',
  delete_file: 'delete',
  bash: 'execute',
  todo_write: 'think',
  complete_step: 'think',
  review_report: 'think',
};

type SpokenKind = 'agent_message_chunk' | 'agent_thought_chunk';

/** In characters. */
const LONGEST_PIECE = 16 * 1024;
const SHOWN_RESULT = 8 * 1024;
const SHOWN_INPUT = 64 * 1024;

export interface UpdateFacts {
  readonly sessionId: string;
  readonly root: string;
  readonly contextTokens: number;
  readonly currency: string | undefined;
  /** Tokens that the session took in before. */
  readonly inputSoFar: number;
}

/** Tells an ACP client what goes on in a session. */
export class SessionUpdates implements TurnListener {
  readonly #client: AgentContext;
  readonly #facts: UpdateFacts;
  #inputSoFar: number;
  /** Text of an answer that ended without a call: what follows is another message, which a client would join to it. */
  #said: 'nothing' | 'now' | 'before' = 'nothing';

  constructor(client: AgentContext, facts: UpdateFacts) {
    this.#client = client;
    this.#facts = facts;
    this.#inputSoFar = facts.inputSoFar;
  }

  /** What is said comes in many small pieces: those of one moment are told as one. */
  #unsaid: { readonly sessionUpdate: SpokenKind; text: string } | undefined;

  turnBegins(): void {
    this.#said = 'nothing';
  }

  turnEnds(): void {
    this.#tell();
  }

  text(text: string): void {
    const apart = this.#said === 'before' ? `\n\n${text}` : text;
    this.#said = 'now';
    this.#say('agent_message_chunk', apart);
  }

  reasoning(text: string): void {
    this.#say('agent_thought_chunk', text);
  }

  /** A client cannot take back what it was told, so the answer begins anew. */
  unsaid(): void {
    if (this.#said === 'now') this.#said = 'before';
  }

  callStarted(call: ShownCall): void {
    this.#said = 'nothing';
    this.#send({ sessionUpdate: 'tool_call', ...this.describe(call), status: 'in_progress' });
  }

  callEnded({ id }: ShownCall, { text, isError }: { text: string; isError: boolean }): void {
    const shown = text.length > SHOWN_RESULT ? `${text.slice(0, SHOWN_RESULT)}…` : text;
    const content = [{ type: 'content', content: { type: 'text', text: shown.toWellFormed() } }];
    this.#send({
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      status: isError ? 'failed' : 'completed',
      content,
    });
  }

  todos(items: readonly Todo[]): void {
    const entries = items
      .filter(({ status }) => status !== 'cancelled')
      .map(({ text, status }) => ({ content: text, priority: 'medium', status: PLAN_STATUS[status] ?? 'pending' }));
    this.#send({ sessionUpdate: 'plan', entries });
  }

  used({ input }: SessionUsage, cost: number | undefined): void {
    const used = Math.max(0, input - this.#inputSoFar);
    this.#inputSoFar = input;
    if (this.#said === 'now') this.#said = 'before';
    const { contextTokens, currency } = this.#facts;
    const priced = cost === undefined || currency === undefined ? {} : { cost: { amount: cost, currency } };
    this.#send({ sessionUpdate: 'usage_update', used, size: contextTokens, ...priced });
  }

  /** What was said earlier, for a client that has not seen it. */
  replay(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.role === 'user')
        this.#send({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: message.text } });
      if (message.role !== 'assistant') continue;
      for (const part of message.parts) {
        if (part.kind === 'text') this.text(part.text);
        if (part.kind === 'call')
          this.#send({
            sessionUpdate: 'tool_call',
            ...this.describe({ ...part, input: undefined, paths: [] }),
            status: 'completed',
          });
      }
    }
  }

  /** A call as ACP shows it. */
  describe({ id, name, input, paths }: ShownCall) {
    const inside = paths.flatMap((path) => {
      const found = placePath(this.#facts.root, path);
      return found.kind === 'inside' ? [{ path: `${this.#facts.root}/${found.path}` }] : [];
    });
    const isSmall = input !== undefined && JSON.stringify(input).length <= SHOWN_INPUT;
    return {
      toolCallId: id,
      title: titleOf(name, input, paths),
      kind: KINDS[name] ?? ('other' as const),
      locations: inside,
      ...(isSmall && { rawInput: input }),
    };
  }

  #say(sessionUpdate: SpokenKind, text: string): void {
    if (this.#unsaid?.sessionUpdate === sessionUpdate && this.#unsaid.text.length < LONGEST_PIECE) {
      this.#unsaid.text += text;
      return;
    }
    this.#tell();
    this.#unsaid = { sessionUpdate, text };
    setImmediate(() => this.#tell());
  }

  #tell(): void {
    if (this.#unsaid === undefined) return;
    const { sessionUpdate, text } = this.#unsaid;
    this.#unsaid = undefined;
    this.#notify({ sessionUpdate, content: { type: 'text', text } });
  }

  #send(update: Readonly<Record<string, unknown>>): void {
    this.#tell();
    this.#notify(update);
  }

  /** The connection keeps the order; a client that is gone ends the process elsewhere. */
  #notify(update: Readonly<Record<string, unknown>>): void {
    void this.#client.notify('session/update', { sessionId: this.#facts.sessionId, update } as never).catch(() => {});
  }
}

const PLAN_STATUS: Readonly<Record<string, string>> = {
  open: 'pending',
  in_progress: 'in_progress',
  done: 'completed',
};

function titleOf(name: string, input: unknown, paths: readonly string[]): string {
  const { command, argv } = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const what = typeof command === 'string' ? command : Array.isArray(argv) ? argv.join(' ') : paths.join(' → ');
  return visibleLine(`${name.slice(0, 100)} ${what.slice(0, 200)}`.trim()).slice(0, 200);
}
