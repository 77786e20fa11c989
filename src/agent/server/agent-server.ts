import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import {
  type AgentApp,
  type AgentContext,
  agent,
  type ClientCapabilities,
  type ContentBlock,
  PROTOCOL_VERSION,
  RequestError,
  type SessionConfigOption,
} from '@agentclientprotocol/sdk';
import { z } from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import { META, METHODS, offersServices } from '../../protocol/index.ts';
import { type Environment, MODEL_EFFORTS, readWorkerSettings, type WorkerSettings } from '../models/settings.ts';
import { SessionStore } from '../session/session-store.ts';
import { SessionUnusable } from '../session/session-unusable.ts';
import { ActiveSession } from './active-session.ts';
import { promptText } from './prompt-text.ts';

const EFFORT_OPTION = 'effort';
const steerSchema = z.object({ sessionId: z.string(), prompt: z.array(z.unknown()).max(100) });

/** The bundled worker as an ACP v1 agent: sessions of one client, each with one prompt at a time. */
export class AgentServer {
  readonly #environment: Environment;
  readonly #store: SessionStore;
  readonly #sessions = new Map<string, ActiveSession>();
  #capabilities: ClientCapabilities | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#store = new SessionStore(environment);
  }

  app(): AgentApp {
    return agent({ name: 'remit-worker' })
      .onRequest('initialize', ({ params }) => this.#initialize(params.clientCapabilities))
      .onRequest('authenticate', () => ({}))
      .onRequest('session/new', ({ params, client }) => this.#new(params.cwd, client))
      .onRequest('session/load', ({ params, client }) => this.#continue(params.sessionId, client, { replay: true }))
      .onRequest('session/resume', ({ params, client }) => this.#continue(params.sessionId, client, { replay: false }))
      .onRequest('session/list', ({ params }) => this.#list(params.cwd ?? undefined))
      .onRequest('session/close', ({ params }) => this.#close(params.sessionId))
      .onRequest('session/set_config_option', ({ params }) =>
        this.#configure(params.sessionId, params.configId, params.value),
      )
      .onRequest('session/prompt', ({ params }) => this.#prompt(params.sessionId, params.prompt))
      .onRequest(METHODS.steer, steerSchema, ({ params }) =>
        this.#steer(params.sessionId, params.prompt as ContentBlock[]),
      )
      .onNotification('session/cancel', ({ params }) => this.#sessions.get(params.sessionId)?.cancel());
  }

  /** Ends every turn, with the commands that it runs, and gives the sessions up. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((session) => session.close()));
    this.#sessions.clear();
  }

  #initialize(capabilities: ClientCapabilities | undefined) {
    this.#capabilities = capabilities;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'remit-worker', title: 'Remit’s bundled worker', version: manifest.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
        _meta: { [META]: { sessionSteer: { method: METHODS.steer } } },
      },
      authMethods: [],
    };
  }

  async #new(cwd: string, client: AgentContext) {
    // Before anything is made: without a model there is nothing to open.
    const settings = this.#settings();
    if (!isWorkFolder(cwd))
      throw RequestError.invalidParams(
        undefined,
        `cwd must be the absolute path of a folder to work in: ${cwd} is none`,
      );
    const open = await unusableIsInvalid(() => this.#store.create(cwd));
    try {
      const session = await ActiveSession.begin(open, this.#surroundings(client, settings));
      this.#sessions.set(session.id, session);
      return { sessionId: session.id, configOptions: optionsOf(session) };
    } catch (error) {
      await open.close();
      throw error;
    }
  }

  async #continue(sessionId: string, client: AgentContext, { replay }: { replay: boolean }) {
    const settings = this.#settings();
    await this.#sessions.get(sessionId)?.close();
    this.#sessions.delete(sessionId);
    const open = await unusableIsInvalid(() => this.#store.open(sessionId));
    try {
      const session = await ActiveSession.begin(open, this.#surroundings(client, settings));
      this.#sessions.set(session.id, session);
      if (replay) await session.replay();
      return { configOptions: optionsOf(session) };
    } catch (error) {
      await open.close();
      throw error;
    }
  }

  async #list(cwd: string | undefined) {
    const sessions = await this.#store.list(cwd);
    return {
      sessions: sessions.map(({ id, cwd, title, created_at }) => ({
        sessionId: id,
        cwd,
        title,
        updatedAt: created_at,
      })),
    };
  }

  async #close(sessionId: string) {
    await this.#sessions.get(sessionId)?.close();
    this.#sessions.delete(sessionId);
    return {};
  }

  #configure(sessionId: string, configId: string, value: unknown) {
    const session = this.#session(sessionId);
    const effort = MODEL_EFFORTS.find((known) => known === value);
    if (configId !== EFFORT_OPTION || effort === undefined)
      throw RequestError.invalidParams(
        undefined,
        `only ${EFFORT_OPTION} can be set, to one of ${MODEL_EFFORTS.join(', ')}`,
      );
    session.useEffort(effort);
    return { configOptions: optionsOf(session) };
  }

  async #prompt(sessionId: string, blocks: readonly ContentBlock[]) {
    const session = this.#session(sessionId);
    const before = session.usage;
    const { stopReason, facts } = await session.prompt(textOf(blocks));
    const { input, cachedInput, output, reasoning } = session.usage;
    const usage = {
      inputTokens: input - before.input,
      cachedReadTokens: cachedInput - before.cachedInput,
      outputTokens: output - before.output,
      thoughtTokens: reasoning - before.reasoning,
      totalTokens: input - before.input + output - before.output,
    };
    return { stopReason, usage, ...(facts && { _meta: { [META]: facts } }) };
  }

  #steer(sessionId: string, blocks: readonly ContentBlock[]) {
    const heard = this.#session(sessionId).steer(textOf(blocks));
    return { disposition: heard === 'accepted' ? 'accepted' : 'queued_followup' };
  }

  #session(sessionId: string): ActiveSession {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session;
    throw RequestError.invalidParams(
      undefined,
      'there is no such open session: open one with session/new or session/load',
    );
  }

  #settings(): WorkerSettings {
    const reading = readWorkerSettings(this.#environment);
    if (reading.kind === 'configured') return reading.settings;
    if (reading.kind === 'no_key') throw RequestError.authRequired(undefined, reading.problem);
    throw RequestError.invalidParams(undefined, reading.problem);
  }

  #surroundings(client: AgentContext, settings: WorkerSettings) {
    const { fs, terminal, _meta } = this.#capabilities ?? {};
    const isHost = offersServices(_meta) && fs?.readTextFile === true && fs.writeTextFile === true && terminal === true;
    return { client, settings, environment: this.#environment, isHost };
  }
}

/** The root of the disk is nobody's project. */
function isWorkFolder(cwd: string): boolean {
  return isAbsolute(cwd) && resolve(cwd) !== '/' && statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true;
}

function textOf(blocks: readonly ContentBlock[]): string {
  try {
    return promptText(blocks);
  } catch (error) {
    throw RequestError.invalidParams(undefined, error instanceof Error ? error.message : 'the prompt cannot be read');
  }
}

function optionsOf(session: ActiveSession): SessionConfigOption[] {
  return [
    {
      type: 'select',
      id: EFFORT_OPTION,
      name: 'Effort',
      category: 'thought_level',
      currentValue: session.effort,
      options: MODEL_EFFORTS.map((value) => ({ value, name: value })),
    },
  ];
}

async function unusableIsInvalid<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SessionUnusable) throw RequestError.invalidParams(undefined, error.message);
    throw error;
  }
}
