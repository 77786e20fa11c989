import { z } from 'zod';
import { eventLine, type WorkerEvent } from './events.ts';
import { readReasonixStatus, STATUS_UPDATE_METHOD } from './reasonix-status.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { ToolFacts } from './tool-facts.ts';
import type { Turn } from './turn.ts';

/** Tool-call events of one prompt that are passed on; a flood beyond is only counted. */
const MAX_TOOL_EVENTS = 2_000;

const updateSchema = z.object({ sessionId: z.string(), update: z.looseObject({ sessionUpdate: z.string() }) });
const textSchema = z.object({ content: z.object({ text: z.string() }) });
const statusUpdateSchema = z.object({ sessionId: z.string(), status: z.unknown() });

/** Reads what an agent reports about its work, in order; kinds that are unknown are ignored. */
export class SessionUpdates {
  /** Messages of a conversation that came outside a turn: a replay of history. */
  replayed = 0;
  /** When the last update came, by `performance.now()`. */
  lastAt = 0;
  readonly #toolCalls: ToolCalls;
  readonly #onEvent: (event: WorkerEvent) => void;
  readonly #hide: (text: string) => string;
  #toolEvents = 0;
  #toolEventsOf: Turn | undefined;

  constructor(toolCalls: ToolCalls, onEvent: (event: WorkerEvent) => void, hide: (text: string) => string) {
    this.#toolCalls = toolCalls;
    this.#onEvent = onEvent;
    this.#hide = hide;
  }

  take(method: string, params: unknown, sessionId: string | undefined, turn: Turn | undefined): void {
    this.lastAt = performance.now();
    if (method === 'session/update') this.#update(params, sessionId, turn);
    else if (method === STATUS_UPDATE_METHOD && turn) this.#status(params, sessionId, turn);
  }

  /** The message that is being said is complete. */
  closeMessage(turn: Turn): void {
    const text = turn.transcript.close(this.#hide);
    if (text !== undefined) this.#onEvent({ type: 'message', text });
  }

  #warn(text: string): void {
    this.#onEvent({ type: 'warning', text });
  }

  #update(params: unknown, sessionId: string | undefined, turn: Turn | undefined): void {
    const parsed = updateSchema.safeParse(params);
    if (!parsed.success) return;
    const { update } = parsed.data;
    if (turn === undefined) {
      if (/_message_chunk$|^tool_call/.test(update.sessionUpdate)) this.replayed += 1;
      return;
    }
    if (parsed.data.sessionId !== sessionId) return;
    switch (update.sessionUpdate) {
      case 'agent_message_chunk': {
        const text = textSchema.safeParse(update);
        if (text.success) turn.transcript.say(text.data.content.text);
        return;
      }
      case 'tool_call':
      case 'tool_call_update':
        this.#toolCall(update, turn);
        return;
      case 'usage_update':
        if (update['cost'] !== undefined && update['cost'] !== null) turn.cost = update['cost'];
        return;
      case 'current_mode_update':
        this.#warn(`the agent changed its mode to ${eventLine(String(update['currentModeId']), 100)}`);
        return;
    }
  }

  #toolCall(update: { sessionUpdate: string; [key: string]: unknown }, turn: Turn): void {
    const facts = this.#toolCalls.learn(update);
    if (facts === undefined) return;
    const isNew = update.sessionUpdate === 'tool_call';
    if (isNew) this.closeMessage(turn);
    const isEnd = update['status'] === 'completed' || update['status'] === 'failed';
    if (isNew || isEnd) this.#report(facts, turn);
  }

  #report(facts: ToolFacts, turn: Turn): void {
    if (this.#toolEventsOf !== turn) this.#toolEvents = 0;
    this.#toolEventsOf = turn;
    this.#toolEvents += 1;
    if (this.#toolEvents > MAX_TOOL_EVENTS) return;
    if (this.#toolEvents === MAX_TOOL_EVENTS) {
      this.#warn(`more than ${MAX_TOOL_EVENTS} tool calls in one prompt: the rest is not listed`);
      return;
    }
    this.#onEvent({
      type: 'tool_call',
      toolCallId: eventLine(facts.id, 100),
      title: eventLine(this.#hide(facts.title ?? '')),
      kind: eventLine(facts.kind ?? 'other', 50),
      status: eventLine(facts.status ?? 'pending', 50),
      paths: facts.paths.slice(0, 20).map((path) => eventLine(path)),
    });
  }

  #status(params: unknown, sessionId: string | undefined, turn: Turn): void {
    const parsed = statusUpdateSchema.safeParse(params);
    if (!parsed.success || parsed.data.sessionId !== sessionId) return;
    const before = turn.status;
    turn.status = { ...before, ...readReasonixStatus(parsed.data.status) };
    const { phase, usage } = turn.status;
    if (phase !== undefined && phase !== before.phase) this.#onEvent({ type: 'phase', phase: eventLine(phase, 100) });
    if (usage && JSON.stringify(usage) !== JSON.stringify(before.usage)) this.#onEvent({ type: 'usage', usage });
  }
}
