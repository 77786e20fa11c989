import { realpath } from 'node:fs/promises';
import { hideSecretsOf } from '../base/index.ts';
import { familyOf, workerLaunchArguments } from './adapters.ts';
import type { AgentCapabilities } from './agent-capabilities.ts';
import { AgentFailure, AgentProcess } from './agent-process.ts';
import { type Handshake, initialize, newSession, type OpenedSession, StartRefusal } from './handshake.ts';
import { DEFAULT_TIMEOUTS, type WorkerOptions } from './options.ts';
import { readReasonixStatus, STATUS_METHOD } from './reasonix-status.ts';
import { resumeSession } from './resume-session.ts';
import { type AppliedSettings, applySettings, NeverAsks, readOffer } from './session-settings.ts';
import { Traffic } from './traffic.ts';
import { describeWorkerHome } from './worker-home.ts';
import { WorkerSession } from './worker-session.ts';

export type StartOutcome =
  | { readonly kind: 'started'; readonly session: WorkerSession }
  | {
      readonly kind: 'refused';
      /** `unavailable`: may work after a login, an installation, a retry. `incompatible`: needs another version. */
      readonly failure: 'unavailable' | 'incompatible';
      readonly reason: string;
    };

/**
 * Starts a worker and brings it to the point where it can be prompted: initialize, login if it must, session (new or
 * continued), mode and options of the lane. Every step is bounded in time. On a refusal nothing is left running. Throws
 * `sandbox_unavailable` when its confinement cannot be made.
 */
export async function startWorker(given: WorkerOptions): Promise<StartOutcome> {
  const options = { ...given, onEvent: guardedListener(given) };
  try {
    if (options.resume === undefined) return { kind: 'started', session: await start(options, 'new') };
    const resumed = await start(options, 'resume').catch((error: unknown) => {
      // An agent that hangs or dies on the way back into a session gets one more chance with a new one.
      if (error instanceof AgentFailure && options.signal?.aborted !== true) return undefined;
      throw error;
    });
    return { kind: 'started', session: resumed ?? (await start(options, 'new')) };
  } catch (error) {
    if (error instanceof StartRefusal) return refused(options, error.failure, error.message);
    if (error instanceof AgentFailure) {
      return refused(options, 'unavailable', `${error.message}. Next: check its configuration, then retry.`);
    }
    throw error;
  }
}

/** A login that was left out of the private home is a likely reason, and the agent itself cannot know of it. */
function refused(
  { leftOut = [] }: WorkerOptions,
  failure: 'unavailable' | 'incompatible',
  reason: string,
): StartOutcome & { kind: 'refused' } {
  if (leftOut.length === 0) return { kind: 'refused', failure, reason };
  const without =
    `It started without these files of your home, which were not copied: ${leftOut.join(', ')} ` +
    '(each must be an ordinary file of at most 1 MiB, and a link to it must not lead out of the home).';
  return { kind: 'refused', failure, reason: `${reason} ${without}` };
}

/** A listener that fails must not look like a fault of the worker, nor break its connection. */
function guardedListener(options: WorkerOptions): WorkerOptions['onEvent'] {
  return (event) => {
    try {
      options.onEvent(event);
    } catch (error) {
      options.log('error', 'an event of a worker was not taken', {
        worker: options.name,
        type: event.type,
        error: String(error),
      });
    }
  };
}

async function start(options: WorkerOptions, way: 'new' | 'resume'): Promise<WorkerSession> {
  const handshake = await launch(options);
  const { agent } = handshake;
  const giveUp = () => void agent.stop('at_once');
  options.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    options.signal?.throwIfAborted();
    const capabilities = await initialize(handshake);
    const opened = await openSession(handshake, capabilities, way);
    handshake.traffic.sessionId = opened.sessionId;
    const settings = await settle(handshake, capabilities, opened);
    report(options, capabilities, opened, settings);
    return new WorkerSession({ ...handshake, capabilities, opened, settings });
  } catch (error) {
    await agent.stop('at_once');
    throw options.signal?.aborted
      ? new StartRefusal('unavailable', `${options.name} was stopped while it started.`)
      : error;
  } finally {
    options.signal?.removeEventListener('abort', giveUp);
  }
}

async function launch(options: WorkerOptions): Promise<Handshake> {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const family = familyOf(options);
  const home = options.home === undefined ? {} : describeWorkerHome(options, options.home).environment;
  const environment = { ...options.environment, ...family.environment, ...home };
  const traffic = new Traffic(options, {
    family,
    realWorktree: await realpath(options.worktree),
    detailMs: timeouts.detailMs,
    hide: hideSecretsOf(options.environment),
  });
  const confined = options.launch(workerLaunchArguments(options, options), environment);
  const agent = new AgentProcess(options.name, confined, options.environment, timeouts.stopMs, traffic);
  return { agent, family, traffic, options, timeouts };
}

async function openSession(
  handshake: Handshake,
  capabilities: AgentCapabilities,
  way: 'new' | 'resume',
): Promise<OpenedSession> {
  const { resume } = handshake.options;
  const resumed =
    way === 'resume' && resume ? await resumeSession(handshake, capabilities, resume.sessionId) : undefined;
  return resumed ?? newSession(handshake, capabilities, resume !== undefined);
}

async function settle(
  handshake: Handshake,
  capabilities: AgentCapabilities,
  opened: OpenedSession,
): Promise<AppliedSettings> {
  const { agent, family, options, timeouts } = handshake;
  const wanted = { lane: options.lane, effort: options.effort, model: options.model, requestMs: timeouts.requestMs };
  const applied = await applySettings(agent, family, opened.sessionId, readOffer(opened.answer), wanted).catch(
    (error: unknown) => {
      if (!(error instanceof NeverAsks)) throw error;
      throw new StartRefusal(
        'incompatible',
        `${options.name} cannot be used: ${error.message}. Next: ${family.install} in a version that does.`,
      );
    },
  );
  if (!capabilities.status) return applied;
  // Its own word on how it stands, where it has one.
  const answer = await agent
    .request(STATUS_METHOD, { sessionId: opened.sessionId }, timeouts.requestMs)
    .catch((failure: AgentFailure) => {
      if (failure.kind !== 'error') throw failure;
      return undefined;
    });
  const { mode, workMode, effort } = readReasonixStatus(answer);
  return {
    ...applied,
    ...(mode !== undefined && { mode }),
    ...(workMode !== undefined && { workMode }),
    ...(effort !== undefined && { effort }),
  };
}

function report(
  options: WorkerOptions,
  capabilities: AgentCapabilities,
  opened: OpenedSession,
  settings: AppliedSettings,
): void {
  const { sessionId, contextLost } = opened;
  options.onEvent({ type: 'session', sessionId, agent: capabilities.agent, contextLost, ...settings });
}
