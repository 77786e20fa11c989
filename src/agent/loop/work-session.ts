import type { TurnFacts } from '../../protocol/index.ts';
import type { Authority } from '../authority.ts';
import { type CallPart, type LanguageModel, ModelFailure, type ModelUsage } from '../models/model.ts';
import type { Budget, Price } from '../models/settings.ts';
import type { Place } from '../place/place.ts';
import { compact, conversationBytes } from '../session/compaction.ts';
import { digestsBefore } from '../session/recover-calls.ts';
import type { SessionLog } from '../session/session-log.ts';
import type { SessionState } from '../session/session-state.ts';
import { addUsage, type SessionUsage } from '../session/session-usage.ts';
import type { Tool } from '../tools/define-tool.ts';
import { toolsFor } from '../tools/registry.ts';
import { type Answer, askModel } from './ask-model.ts';
import { costOf, Spending } from './budget.ts';
import { Conversation } from './conversation.ts';
import type { TurnListener } from './listener.ts';
import { Nudges, readinessReason } from './nudges.ts';
import { awaitsReview, reviewRound } from './review-round.ts';
import { runCalls } from './run-calls.ts';
import { Storm } from './storm.ts';
import { SUMMARY_SYSTEM_TEXT, SYSTEM_TEXT } from './system-text.ts';

export interface WorkSessionParts {
  readonly place: Place;
  readonly authority: Authority;
  readonly model: LanguageModel;
  /** Another pair of eyes: with one, the author cannot report for itself. */
  readonly reviewer?: LanguageModel | undefined;
  readonly budget: Budget;
  readonly price?: Price | undefined;
  readonly contextTokens: number;
  readonly log: SessionLog;
  readonly state: SessionState;
}

/** How a prompt ended. */
export interface TurnEnd {
  readonly stopReason: 'end_turn' | 'cancelled' | 'max_turn_requests' | 'refusal';
  /** Absent after a cancel, which says nothing of the work. */
  readonly facts?: TurnFacts;
}

/** A conversation is made shorter when the next request would fill this much of the model's context. */
const FULL_SHARE = 0.8;
/** A token is seldom less than three bytes of source text. */
const BYTES_A_TOKEN = 3;
const MOST_CONTINUATIONS = 4;
const MOST_EMPTY_ANSWERS = 3;
const MOST_REVIEWS = 4;

/** One session of work: prompts, one at a time, on one repository. */
export class WorkSession {
  readonly #parts: WorkSessionParts;
  readonly #tools: readonly Tool[];
  readonly #conversation: Conversation;
  #model: LanguageModel;
  #reviewer: LanguageModel | undefined;
  #usage: SessionUsage;
  #turn: Turn | undefined;
  #steers: string[] = [];
  /** The last request that was answered: what it took in, and how large the conversation was then. */
  #said: { tokens: number; bytes: number } | undefined;

  constructor(parts: WorkSessionParts) {
    this.#parts = parts;
    this.#model = parts.model;
    this.#reviewer = parts.reviewer;
    this.#usage = parts.state.usage;
    this.#conversation = new Conversation(parts.log, parts.state);
    const { tools } = toolsFor(parts.place);
    this.#tools = parts.reviewer === undefined ? tools : tools.filter(({ name }) => name !== 'review_report');
  }

  get usage(): SessionUsage {
    return this.#usage;
  }

  /** The same with another effort, from the next request on. */
  useModels(model: LanguageModel, reviewer: LanguageModel | undefined): void {
    this.#model = model;
    this.#reviewer = reviewer;
    this.#said = undefined;
  }

  /** Heard before the model is asked again; without a turn, with the next prompt. */
  steer(text: string): 'accepted' | 'queued' {
    this.#steers.push(text);
    return this.#turn === undefined ? 'queued' : 'accepted';
  }

  /** Works until the task is done, or cannot go on. Rejects only when the session can no longer be kept. */
  async prompt(text: string, listener: TurnListener, signal: AbortSignal): Promise<TurnEnd> {
    if (this.#turn !== undefined) throw new Error('a prompt of this session is still running');
    const spending = new Spending(this.#parts.budget, this.#parts.price);
    this.#turn = { listener, cancelled: signal, signal: AbortSignal.any([signal, spending.timeIsUp]), spending };
    try {
      await this.#conversation.say({ role: 'user', text: text.toWellFormed(), asked: true });
      const end = await this.#work(this.#turn);
      this.#turn = undefined;
      await this.#parts.log.append({ kind: 'turn_end', ...(end.facts && { facts: end.facts }) });
      return end;
    } finally {
      this.#turn = undefined;
    }
  }

  async #work(turn: Turn): Promise<TurnEnd> {
    try {
      return await this.#steps(turn);
    } catch (error) {
      if (turn.cancelled.aborted) return { stopReason: 'cancelled' };
      if (turn.signal.aborted) return budgetSpent(turn.spending.spent());
      if (error instanceof ModelFailure) return ended('model_failed', error.message);
      throw error;
    }
  }

  async #steps(turn: Turn): Promise<TurnEnd> {
    const storm = new Storm();
    const ending = new Ending();
    for (;;) {
      turn.cancelled.throwIfAborted();
      await this.#hearSteers();
      const spent = turn.spending.spent();
      if (spent !== undefined) return budgetSpent(spent);
      const answer = await this.#ask(turn);
      const calls = answer.parts.filter((part) => part.kind === 'call');
      if (answer.parts.length > 0) await this.#conversation.say({ role: 'assistant', parts: answer.parts });
      if (calls.length === 0) {
        const end = await this.#tryToEnd(answer, ending, turn);
        // What was said while the work was judged is heard first.
        if (end !== undefined && this.#steers.length === 0) return end;
        continue;
      }
      const answers = await runCalls(calls, this.#surroundings(turn));
      this.#conversation.answered(answers);
      const { tell, end } = storm.look(calls, answers);
      if (end !== undefined) return ended('no_progress', `${end} Resume with guidance that helps it on.`);
      if (tell !== undefined) await this.#conversation.say({ role: 'user', text: tell });
    }
  }

  /** The model has no more calls to make; `undefined` when it must go on all the same. */
  async #tryToEnd(answer: Answer, ending: Ending, turn: Turn): Promise<TurnEnd | undefined> {
    if (this.#steers.length > 0) return undefined;
    if (answer.reason === 'refusal')
      return { ...ended('model_failed', 'The provider refused to let the model answer this.'), stopReason: 'refusal' };
    if (answer.reason === 'length' && ending.continuations < MOST_CONTINUATIONS) {
      ending.continuations += 1;
      return this.#goOn('Your answer was cut off at its longest. Go on from where it ended, in smaller pieces.');
    }
    if (answer.parts.length === 0) {
      ending.empty += 1;
      if (ending.empty >= MOST_EMPTY_ANSWERS)
        return ended('no_progress', 'The model answered nothing, again and again.');
      return this.#goOn('You answered nothing. Go on with the task, or say that it is done.');
    }
    return this.#passGate(ending, turn);
  }

  async #passGate(ending: Ending, turn: Turn): Promise<TurnEnd | undefined> {
    const { authority } = this.#parts;
    const reviewer = this.#reviewer;
    let gate = await authority.gate(this.#conversation.ledger);
    if (reviewer !== undefined && awaitsReview(gate) && ending.reviews < MOST_REVIEWS) {
      ending.reviews += 1;
      gate = await this.#review(reviewer, turn);
    }
    if (gate.kind === 'no_change' || gate.kind === 'ready') return ended('done');
    const spent = turn.spending.spent();
    if (spent !== undefined) return budgetSpent(spent);
    const nudge =
      reviewer !== undefined && awaitsReview(gate) ? undefined : ending.nudges.next(gate, this.#conversation.ledger);
    return nudge === undefined ? ended('readiness_paused', readinessReason(gate)) : this.#goOn(nudge);
  }

  #review(model: LanguageModel, turn: Turn) {
    const first = this.#conversation.messages.find(({ role }) => role === 'user');
    return reviewRound({
      ...this.#surroundings(turn),
      model,
      task: first?.role === 'user' ? first.text : '',
      listener: turn.listener,
      observe: (observations) => this.#conversation.observe(observations),
      used: (usage) => this.#count(usage, turn),
      mayGoOn: () => turn.spending.spent() === undefined,
    });
  }

  async #goOn(text: string): Promise<undefined> {
    await this.#conversation.say({ role: 'user', text });
    return undefined;
  }

  async #ask(turn: Turn): Promise<Answer> {
    await this.#makeRoom(turn, FULL_SHARE);
    try {
      return await this.#askOnce(turn);
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind !== 'too_long') throw error;
      // The model's context is smaller than was thought.
      if (!(await this.#makeRoom(turn, 0))) throw error;
      return this.#askOnce(turn);
    }
  }

  async #askOnce(turn: Turn): Promise<Answer> {
    const { messages } = this.#conversation;
    const request = { system: SYSTEM_TEXT, tools: this.#tools, messages };
    const answer = await askModel(this.#model, request, turn.listener, turn.signal);
    // Some servers count nothing.
    if (answer.usage.input > 0) this.#said = { tokens: answer.usage.input, bytes: conversationBytes(messages) };
    await this.#count(answer.usage, turn);
    return answer;
  }

  /** Answers whether anything was taken out. `share`: of the model's context that may be full. */
  async #makeRoom(turn: Turn, share: number): Promise<boolean> {
    const { messages } = this.#conversation;
    const bytes = conversationBytes(messages);
    const sinceThen = (bytes - (this.#said?.bytes ?? 0)) / BYTES_A_TOKEN;
    const { contextTokens } = this.#parts;
    if ((this.#said?.tokens ?? 0) + sinceThen <= contextTokens * share) return false;
    const keepBytes = Math.min(bytes, contextTokens * BYTES_A_TOKEN) / (share === 0 ? 8 : 4);
    const shorter = await compact(messages, { keepBytes, summarise: (text) => this.#summarise(text, turn) });
    await this.#conversation.replace(shorter);
    this.#said = undefined;
    return shorter !== messages;
  }

  async #summarise(text: string, turn: Turn): Promise<string | undefined> {
    const request = { system: SUMMARY_SYSTEM_TEXT, tools: [], messages: [{ role: 'user', text } as const] };
    const answer = await askModel(this.#model, request, undefined, turn.signal).catch((error: unknown) => {
      if (error instanceof ModelFailure) return undefined;
      throw error;
    });
    if (answer === undefined) return undefined;
    await this.#count(answer.usage, turn);
    const said = answer.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
    return said.trim() === '' ? undefined : said;
  }

  async #count(usage: ModelUsage, turn: Turn): Promise<void> {
    const { price, log } = this.#parts;
    turn.spending.add(usage);
    this.#usage = addUsage(this.#usage, usage);
    await log.append({ kind: 'usage', usage: this.#usage });
    turn.listener.used(this.#usage, price === undefined ? undefined : costOf(this.#usage, price));
  }

  async #hearSteers(): Promise<void> {
    const heard = this.#steers;
    this.#steers = [];
    for (const text of heard) await this.#conversation.say({ role: 'user', text: text.toWellFormed(), asked: true });
  }

  #surroundings({ listener, signal }: Turn) {
    const conversation = this.#conversation;
    const { place, authority } = this.#parts;
    return {
      tools: this.#tools,
      place,
      authority,
      ledger: conversation.ledger,
      listener,
      signal,
      intend: async (call: CallPart) => conversation.intend(call, await digestsBefore(call.input, place)),
      learn: (...learned: Parameters<Conversation['learn']>) => conversation.learn(...learned),
    };
  }
}

interface Turn {
  readonly listener: TurnListener;
  readonly cancelled: AbortSignal;
  /** Also when its time is up. */
  readonly signal: AbortSignal;
  readonly spending: Spending;
}

/** What was tried to bring a prompt to its end. */
class Ending {
  readonly nudges = new Nudges();
  continuations = 0;
  empty = 0;
  reviews = 0;
}

function budgetSpent(reason: string | undefined): TurnEnd {
  return { ...ended('budget_spent', reason), stopReason: 'max_turn_requests' };
}

function ended(phase: TurnFacts['phase'], reason?: string): TurnEnd {
  return { stopReason: 'end_turn', facts: { phase, ...(reason !== undefined && { reason: reason.slice(0, 16_000) }) } };
}
