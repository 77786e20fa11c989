import { canonicalJson } from '../base/index.ts';
import type { Action, Decision } from '../policy/index.ts';
import type { AgentListener } from './agent-process.ts';
import {
  allowOnce,
  type PermissionOutcome,
  type PermissionRequest,
  permissionAnswer,
  questionAnswer,
  readPermissionRequest,
  rejectOnce,
} from './choose-option.ts';
import { eventLine, eventText } from './events.ts';
import type { Family } from './families/family.ts';
import type { WorkerOptions, WorkerQuestion } from './options.ts';
import { questionDetail } from './question-detail.ts';
import { ServiceDesk } from './services/service-desk.ts';
import { SessionUpdates } from './session-updates.ts';
import { ToolCalls } from './tool-calls.ts';
import { isComplete, type Translation, translate } from './translate.ts';
import { MAX_IDENTICAL_DENIALS, type Turn } from './turn.ts';

const CANCELLED: PermissionOutcome = { outcome: 'cancelled' };

/** The effects that an answer to the agent may have beside the answer. */
export interface TrafficEffects {
  /** Tells the running turn something, where the agent has a way for that. */
  steer(text: string): void;
  /** Ends the running turn: the same thing was denied again and again. */
  giveUp(turn: Turn, decision: Decision, action: string): void;
}

/** All that an agent sends of its own accord: notifications, and requests for permission. */
export class Traffic implements AgentListener {
  /** Only what comes for this session, while a turn runs, is new activity; a replay of history is not. */
  sessionId: string | undefined;
  turn: Turn | undefined;
  readonly updates: SessionUpdates;
  readonly #toolCalls = new ToolCalls();
  readonly #options: Pick<WorkerOptions, 'decide' | 'ask' | 'onEvent' | 'log' | 'name'>;
  readonly #family: Family;
  readonly #worktree: string;
  readonly #detailMs: number;
  readonly #hide: (text: string) => string;
  readonly #desk: ServiceDesk | undefined;
  #effects: TrafficEffects = { steer: () => {}, giveUp: () => {} };

  constructor(
    options: Pick<WorkerOptions, 'decide' | 'ask' | 'onEvent' | 'log' | 'name' | 'services'>,
    facts: { family: Family; realWorktree: string; detailMs: number; hide: (text: string) => string },
  ) {
    this.#options = options;
    this.#family = facts.family;
    this.#worktree = facts.realWorktree;
    this.#detailMs = facts.detailMs;
    this.#hide = facts.hide;
    this.#desk = this.#openDesk(options);
    this.updates = new SessionUpdates(this.#toolCalls, options.onEvent, facts.hide);
  }

  connect(effects: TrafficEffects): void {
    this.#effects = effects;
  }

  begin(turn: Turn): void {
    this.turn = turn;
    this.#toolCalls.forgetAll();
  }

  async end(turn: Turn): Promise<void> {
    turn.withdraw();
    await this.#desk?.endTurn();
    if (this.turn === turn) this.turn = undefined;
  }

  onNotification(method: string, params: unknown): void {
    this.updates.take(method, params, this.sessionId, this.turn);
  }

  get onService(): AgentListener['onService'] {
    const desk = this.#desk;
    return desk === undefined ? undefined : (method, params) => desk.answer(method, params);
  }

  async onPermission(params: unknown, signal: AbortSignal): Promise<{ outcome: PermissionOutcome }> {
    const { turn } = this;
    const request = readPermissionRequest(params);
    if (turn === undefined || turn.signal.aborted || request?.sessionId !== this.sessionId)
      return { outcome: CANCELLED };
    turn.asked = true;
    const over = AbortSignal.any([turn.signal, signal]);
    try {
      const outcome = await this.#answer(turn, request as PermissionRequest, over);
      return { outcome: over.aborted ? CANCELLED : outcome };
    } catch (error) {
      // Without an answer nothing happens, and the agent must not wait for ever.
      if (!over.aborted)
        this.#options.log('error', 'a permission request could not be answered', {
          worker: this.#options.name,
          error: String(error),
        });
      return { outcome: CANCELLED };
    }
  }

  #openDesk({ services, decide, ask, onEvent }: Pick<WorkerOptions, 'services' | 'decide' | 'ask' | 'onEvent'>) {
    if (services === undefined || !this.#family.worksThroughHost) return undefined;
    return new ServiceDesk({
      ...{ services, decide, ask, onEvent, hide: this.#hide, worktree: this.#worktree },
      turnOf: (sessionId) => (sessionId === this.sessionId ? this.turn : undefined),
      denied: (turn, key, decision, action) => {
        if (turn.countDenial(key) >= MAX_IDENTICAL_DENIALS) this.#effects.giveUp(turn, decision, action);
      },
    });
  }

  async #answer(turn: Turn, request: PermissionRequest, over: AbortSignal): Promise<PermissionOutcome> {
    const { toolCallId, kind } = request.toolCall;
    if (this.#family.isQuestion(toolCallId, typeof kind === 'string' ? kind : undefined))
      return this.#question(request, over);
    this.#toolCalls.learn(request.toolCall);
    const facts = await this.#toolCalls.factsWhen(toolCallId, isComplete, this.#detailMs, over);
    const translation: Translation = facts
      ? await translate(facts, this.#worktree)
      : { kind: 'incomplete', summary: 'a request without details' };
    const action = this.#hide(translation.summary);
    const decision = decisionOf(translation, (request) => this.#options.decide(request));
    if (over.aborted) return CANCELLED;
    this.#options.onEvent({ type: 'decision', action, decision: decision.kind, clause: decision.clause });
    switch (decision.kind) {
      case 'allow':
        return allowOnce(request.options);
      case 'deny':
        this.#denied(turn, translation, decision, action);
        return rejectOnce(request.options);
      case 'ask':
        return permissionAnswer(request.options, await this.#ask(request, 'permission', action, decision.clause, over));
    }
  }

  async #question(request: PermissionRequest, over: AbortSignal): Promise<PermissionOutcome> {
    const title = typeof request.toolCall['title'] === 'string' ? request.toolCall['title'] : 'The worker asks';
    const answer = await this.#ask(request, 'input', title, undefined, over);
    const { outcome, unsaid } = questionAnswer(request.options, answer);
    if (unsaid !== undefined)
      this.#effects.steer(`The supervisor answers your question "${eventLine(title)}": ${unsaid}`);
    return outcome;
  }

  #ask(
    request: PermissionRequest,
    kind: WorkerQuestion['kind'],
    title: string,
    clause: string | undefined,
    over: AbortSignal,
  ) {
    const hidden = (text: string) => eventLine(this.#hide(text));
    const options = request.options.map((option) => ({
      id: option.optionId,
      name: hidden(option.name),
      kind: option.kind,
    }));
    const detail = { ...(clause !== undefined && { clause }), ...questionDetail(request.toolCall, this.#hide) };
    return this.#options.ask({ kind, title: hidden(title), detail, options }, over);
  }

  #denied(turn: Turn, translation: Translation, decision: Extract<Decision, { kind: 'deny' }>, action: string): void {
    const count = turn.countDenial(denialKey(translation, decision));
    if (count === 1)
      this.#effects.steer(eventText(`Remit denied: ${action}. ${decision.clause}. ${decision.hint}`, 2_000));
    if (count >= MAX_IDENTICAL_DENIALS) this.#effects.giveUp(turn, decision, action);
  }
}

function decisionOf(translation: Translation, decide: (action: Action) => Decision): Decision {
  switch (translation.kind) {
    case 'action':
      return decide(translation.action);
    case 'incomplete':
      return {
        kind: 'deny',
        code: 'not_enough_information',
        clause: 'the request does not say which path or command it is about: not enough information',
        hint: 'Name the path, or the command as a list of arguments, in the request itself.',
      };
    case 'contradiction':
      return {
        kind: 'deny',
        code: 'command_mismatch',
        clause: `the request contradicts itself: ${translation.reason}`,
        hint: 'Ask again with kind, paths and subject that agree.',
      };
  }
}

function denialKey(translation: Translation, decision: Extract<Decision, { kind: 'deny' }>): string {
  const what = translation.kind === 'action' ? JSON.stringify(translation.action) : translation.summary;
  return canonicalJson([decision.code, decision.clause, what]);
}
