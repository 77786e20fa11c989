import { z } from 'zod';
import type { Decision } from '../policy/index.ts';
import { META, type TurnFacts, turnFactsSchema } from '../protocol/index.ts';
import type { AgentCapabilities } from './agent-capabilities.ts';
import type { AgentFailure, AgentProcess, ExitFacts } from './agent-process.ts';
import { eventLine } from './events.ts';
import type { Family } from './families/family.ts';
import type { OpenedSession } from './handshake.ts';
import type { WorkerOptions, WorkerTimeouts } from './options.ts';
import { type ReasonixStatus, readReasonixStatus, STATUS_METHOD } from './reasonix-status.ts';
import type { AppliedSettings } from './session-settings.ts';
import type { Traffic } from './traffic.ts';
import { Turn, type TurnOutcome } from './turn.ts';
import { promptResultUsage, quotaUsage, type Usage, withCost } from './usage.ts';

/** Denials that are explained to the agent in one session; more would only feed its context. */
const MAX_HINTS = 16;

export interface SessionParts {
  readonly family: Family;
  readonly agent: AgentProcess;
  readonly capabilities: AgentCapabilities;
  readonly opened: OpenedSession;
  readonly settings: AppliedSettings;
  readonly traffic: Traffic;
  readonly options: WorkerOptions;
  readonly timeouts: WorkerTimeouts;
}

const promptAnswerSchema = z.object({
  stopReason: z.string().optional().catch(undefined),
  usage: z.unknown().optional(),
  _meta: z.unknown().optional(),
});
const steerAnswerSchema = z.object({ disposition: z.string() });

/** One living worker with its session. Whoever started it must `stop` it. */
export class WorkerSession {
  readonly sessionId: string;
  readonly agent: { readonly name?: string; readonly version?: string };
  readonly mode?: string;
  readonly workMode?: string;
  readonly effort?: string;
  /** After a resume: it is not proven that the agent remembers the session; tell it everything again. */
  readonly contextLost: boolean;
  readonly pid: number;
  /** Settles when the worker's process has ended, for whatever reason. */
  readonly exited: Promise<ExitFacts>;
  readonly #parts: SessionParts;
  #usage: Usage | undefined;
  #hints = 0;
  #prompts = 0;

  constructor(parts: SessionParts) {
    const { agent, capabilities, opened, settings, traffic } = parts;
    this.#parts = parts;
    this.sessionId = opened.sessionId;
    this.agent = capabilities.agent;
    if (settings.mode !== undefined) this.mode = settings.mode;
    if (settings.workMode !== undefined) this.workMode = settings.workMode;
    if (settings.effort !== undefined) this.effort = settings.effort;
    this.contextLost = opened.contextLost;
    this.pid = agent.pid;
    this.exited = agent.exited;
    traffic.connect({
      steer: (text) => this.#hint(text),
      giveUp: (turn, decision, action) => this.#giveUp(turn, decision, action),
    });
  }

  /**
   * Sends a prompt and waits until the turn ends; one at a time. Never rejects for what the worker does. After
   * `cancelled`, `denied_repeatedly`, `exited` and `protocol_error` the process tree is gone: go on by a resume.
   */
  async prompt(text: string): Promise<TurnOutcome> {
    const { agent, traffic } = this.#parts;
    if (traffic.turn) throw new Error('a prompt of this worker is still running');
    const turn = new Turn();
    traffic.begin(turn);
    const params = { sessionId: this.sessionId, prompt: [{ type: 'text', text }] };
    turn.answered = this.#restoreMode()
      .then(() => agent.request('session/prompt', params))
      .then(
        (answer) => this.#ended(turn, answer),
        (failure: AgentFailure) => this.#failed(failure),
      );
    const first = await Promise.race([turn.answered, turn.over]);
    const outcome = turn.ending ? await turn.over : first;
    await traffic.end(turn);
    this.#reportRest(turn);
    return outcome;
  }

  /** Guides the running turn. `queued`: the agent will read it after this turn. Never rejects. */
  async steer(text: string): Promise<'accepted' | 'queued' | 'unsupported'> {
    const { agent, capabilities, timeouts, traffic } = this.#parts;
    if (capabilities.steerMethod === undefined || traffic.turn === undefined) return 'unsupported';
    const params = { sessionId: this.sessionId, prompt: [{ type: 'text', text }] };
    try {
      const answer = steerAnswerSchema.safeParse(
        await agent.request(capabilities.steerMethod, params, timeouts.requestMs),
      );
      return answer.success && answer.data.disposition === 'queued_followup' ? 'queued' : 'accepted';
    } catch {
      return 'unsupported';
    }
  }

  /**
   * Ends the running turn as `cancelled`: open questions are withdrawn, the agent is told and given a short while, then
   * the whole process tree is ended, since an agent may ignore a cancel or go on after it. Without a turn: nothing.
   */
  async cancel(): Promise<void> {
    const { turn } = this.#parts.traffic;
    if (turn) await this.#endTurn(turn, { kind: 'cancelled' });
  }

  /** Ends the worker and everything that it started. A running prompt answers `cancelled`. May be called again. */
  async stop(): Promise<void> {
    const { agent, capabilities, traffic } = this.#parts;
    if (traffic.turn) return this.cancel();
    if (capabilities.close) await agent.request('session/close', { sessionId: this.sessionId }, 2_000).catch(() => {});
    await agent.stop('gently');
  }

  async #restoreMode(): Promise<void> {
    const { agent, family, settings, timeouts } = this.#parts;
    this.#prompts += 1;
    if (this.#prompts === 1 || !family.modeEndsWithTurn || settings.mode === undefined) return;
    const params = { sessionId: this.sessionId, modeId: settings.mode };
    await agent.request('session/set_mode', params, timeouts.requestMs).catch((failure: AgentFailure) => {
      if (failure.kind !== 'error') throw failure;
    });
  }

  #giveUp(turn: Turn, decision: Decision, action: string): void {
    void this.#endTurn(turn, { kind: 'denied_repeatedly', decision, action });
  }

  #endTurn(turn: Turn, outcome: TurnOutcome): Promise<void> {
    turn.ending ??= this.#endTurnNow(turn, outcome);
    return turn.ending;
  }

  async #endTurnNow(turn: Turn, outcome: TurnOutcome): Promise<void> {
    const { agent, timeouts } = this.#parts;
    // First, because some agents answer a cancel only after their open permission request was answered.
    turn.withdraw();
    agent.notify('session/cancel', { sessionId: this.sessionId });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeouts.cancelMs);
    });
    await Promise.race([turn.answered, late]);
    clearTimeout(timer);
    await agent.stop('at_once');
    turn.finish(outcome);
  }

  async #ended(turn: Turn, answer: unknown): Promise<TurnOutcome> {
    const parsed = promptAnswerSchema.safeParse(answer);
    const result: z.infer<typeof promptAnswerSchema> = parsed.success ? parsed.data : { usage: undefined };
    const status = { ...turn.status, ...(turn.ending ? {} : await this.#status()) };
    this.#parts.traffic.updates.closeMessage(turn);
    const facts = this.#parts.family.worksThroughHost ? turnFacts(result._meta) : undefined;
    const ofTurn = promptResultUsage(result.usage) ?? quotaUsage(result._meta);
    this.#usage = status.usage ?? withCost(sum(this.#usage, ofTurn), turn.cost);
    return {
      kind: 'ended',
      stopReason: eventLine(result.stopReason ?? 'none', 100),
      ...(status.phase !== undefined && { phase: status.phase }),
      ...(status.readiness && { readiness: status.readiness }),
      ...(facts && { facts }),
      ...(this.#usage && { usage: this.#usage }),
      asked: turn.asked,
      summary: turn.transcript.last,
    };
  }

  async #failed(failure: AgentFailure): Promise<TurnOutcome> {
    if (failure.kind === 'error') return { kind: 'protocol_error', reason: failure.message };
    await this.#parts.agent.stop('at_once');
    return { kind: failure.kind === 'exited' ? 'exited' : 'protocol_error', reason: failure.message };
  }

  async #status(): Promise<ReasonixStatus> {
    const { agent, capabilities, timeouts } = this.#parts;
    if (!capabilities.status) return {};
    const answer = await agent
      .request(STATUS_METHOD, { sessionId: this.sessionId }, timeouts.requestMs)
      .catch(() => undefined);
    return readReasonixStatus(answer);
  }

  #hint(text: string): void {
    this.#hints += 1;
    if (this.#hints <= MAX_HINTS) void this.steer(text);
  }

  #reportRest(turn: Turn): void {
    const { agent, options, traffic } = this.#parts;
    traffic.updates.closeMessage(turn);
    const stderr = agent.stderrNews();
    if (stderr !== undefined) options.onEvent({ type: 'stderr', text: stderr });
  }
}

function turnFacts(meta: unknown): TurnFacts | undefined {
  const facts = turnFactsSchema.safeParse((meta as Record<string, unknown> | null | undefined)?.[META]);
  return facts.success ? facts.data : undefined;
}

function sum(before: Usage | undefined, now: Usage | undefined): Usage | undefined {
  if (before === undefined || now === undefined) return now ?? before;
  const promptTokens = before.promptTokens + now.promptTokens;
  const cacheHitTokens = before.cacheHitTokens + now.cacheHitTokens;
  return {
    promptTokens,
    completionTokens: before.completionTokens + now.completionTokens,
    reasoningTokens: before.reasoningTokens + now.reasoningTokens,
    cacheHitTokens,
    cacheMissTokens: before.cacheMissTokens + now.cacheMissTokens,
    cacheHitRatio: promptTokens === 0 || cacheHitTokens === 0 ? null : cacheHitTokens / promptTokens,
    estimatedCost: before.estimatedCost,
    currency: before.currency,
    usageSource: now.usageSource,
  };
}
