import { realpath } from 'node:fs/promises';
import { type AgentContext, RequestError } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { type Authority, localAuthority } from '../authority.ts';
import { hostAuthority } from '../host-authority.ts';
import type { ShownCall } from '../loop/listener.ts';
import { type TurnEnd, WorkSession } from '../loop/work-session.ts';
import { openLanguageModel } from '../models/open-language-model.ts';
import type { ModelEffort, WorkerSettings } from '../models/settings.ts';
import { type AskedEffect, askingPlace } from '../place/asking-place.ts';
import { hostPlace } from '../place/host-place.ts';
import { openLocalPlace } from '../place/local-place.ts';
import type { Place } from '../place/place.ts';
import { recoverCalls } from '../session/recover-calls.ts';
import type { OpenSession } from '../session/session-store.ts';
import type { SessionUsage } from '../session/session-usage.ts';
import { SessionUpdates } from './session-updates.ts';

export interface SessionSurroundings {
  readonly client: AgentContext;
  readonly settings: WorkerSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The client is a Remit host, which performs every effect itself. */
  readonly isHost: boolean;
}

/** One session of a client: its conversation, its file, and the prompt that runs. */
export class ActiveSession {
  readonly #open: OpenSession;
  readonly #work: WorkSession;
  readonly #updates: Updates;
  readonly #settings: WorkerSettings;
  #effort: ModelEffort;
  #abort: AbortController | undefined;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(open: OpenSession, work: WorkSession, updates: Updates, settings: WorkerSettings) {
    this.#open = open;
    this.#work = work;
    this.#updates = updates;
    this.#settings = settings;
    this.#effort = settings.effort ?? 'medium';
  }

  static async begin(open: OpenSession, surroundings: SessionSurroundings): Promise<ActiveSession> {
    const { client, settings, environment, isHost } = surroundings;
    const sessionId = open.facts.id;
    const root = await realpath(open.facts.cwd);
    const { contextTokens, price, budget, author, reviewer, effort } = settings;
    const { usage } = await open.read();
    const facts = { sessionId, root, contextTokens, currency: price?.currency, inputSoFar: usage.input };
    const updates = new Updates(client, facts);
    const { place, authority } = isHost
      ? atHost(client, sessionId, root)
      : await atHome(client, updates, { sessionId, root, environment });
    await recoverCalls(await open.read(), place, open);
    const work = new WorkSession({
      ...{ place, authority, budget, price, contextTokens, log: open, state: await open.read() },
      model: openLanguageModel(author, { effort }),
      reviewer: reviewer && openLanguageModel(reviewer, { effort }),
    });
    return new ActiveSession(open, work, updates, settings);
  }

  get id(): string {
    return this.#open.facts.id;
  }

  get effort(): ModelEffort {
    return this.#effort;
  }

  get usage(): SessionUsage {
    return this.#work.usage;
  }

  useEffort(effort: ModelEffort): void {
    this.#effort = effort;
    const { author, reviewer } = this.#settings;
    this.#work.useModels(openLanguageModel(author, { effort }), reviewer && openLanguageModel(reviewer, { effort }));
  }

  async replay(): Promise<void> {
    this.#updates.replay((await this.#open.read()).messages);
    this.#updates.turnEnds();
  }

  async prompt(text: string): Promise<TurnEnd> {
    if (this.#abort !== undefined)
      throw RequestError.invalidRequest(undefined, 'a prompt of this session is still running: cancel it, or guide it');
    this.#abort = new AbortController();
    this.#updates.turnBegins();
    const turn = this.#work.prompt(text, this.#updates, this.#abort.signal);
    this.#running = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#updates.turnEnds();
      this.#abort = undefined;
    }
  }

  steer(text: string): 'accepted' | 'queued' {
    return this.#work.steer(text);
  }

  cancel(): void {
    this.#abort?.abort(new Error('cancelled'));
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#running;
    await this.#open.close();
  }
}

/** Remembers which call is at work: a permission is asked in its name. */
class Updates extends SessionUpdates {
  atWork: ShownCall | undefined;

  override callStarted(call: ShownCall): void {
    this.atWork = call;
    super.callStarted(call);
  }
}

function atHost(client: AgentContext, sessionId: string, root: string): { place: Place; authority: Authority } {
  const request = (method: string, params: Readonly<Record<string, unknown>>) =>
    client.request<unknown>(method, params);
  const host = { sessionId, request };
  return { place: hostPlace(host, root), authority: hostAuthority(host) };
}

async function atHome(
  client: AgentContext,
  updates: Updates,
  facts: { sessionId: string; root: string; environment: Readonly<Record<string, string | undefined>> },
): Promise<{ place: Place; authority: Authority }> {
  const place = await openLocalPlace(facts.root, facts.environment);
  return {
    place: askingPlace(place, (effect) => askClient(client, updates, facts.sessionId, effect)),
    authority: localAuthority(facts.root),
  };
}

const OPTIONS = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
] as const;

const allowedSchema = z.object({ outcome: z.object({ outcome: z.literal('selected'), optionId: z.literal('allow') }) });

async function askClient(
  client: AgentContext,
  updates: Updates,
  sessionId: string,
  effect: AskedEffect,
): Promise<boolean> {
  const call = updates.atWork;
  const toolCall = call === undefined ? { toolCallId: effect.kind, title: effect.kind } : updates.describe(call);
  const answer: unknown = await client
    .request('session/request_permission', {
      sessionId,
      toolCall: { ...toolCall, kind: effect.kind, status: 'pending' },
      options: [...OPTIONS],
    })
    .catch((error: unknown) => {
      // A client that cannot be asked has not allowed it.
      if (error instanceof RequestError) return undefined;
      throw error;
    });
  return allowedSchema.safeParse(answer).success;
}
