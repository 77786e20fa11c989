import { z } from 'zod';
import type { AgentCapabilities } from './agent-capabilities.ts';
import { AgentFailure } from './agent-process.ts';
import type { Handshake, OpenedSession } from './handshake.ts';

/** After a load, history is over when nothing came for this long. */
const QUIET_MS = 100;
const MAX_REPLAY_MS = 5_000;

const listSchema = z.object({ sessions: z.array(z.object({ sessionId: z.string() }).nullable().catch(null)) });

/**
 * Goes back into a session by the way that the agent advertises. `undefined`: it cannot, or refused; a new session is
 * needed. Some agents answer `{}` for any id, so that an answer alone proves nothing: the context counts as kept only
 * when the agent listed the session or replayed its history. Throws `AgentFailure` when the agent is of no use any more.
 */
export async function resumeSession(
  handshake: Handshake,
  capabilities: AgentCapabilities,
  sessionId: string,
): Promise<OpenedSession | undefined> {
  const { agent, family, traffic, options, timeouts } = handshake;
  // A load replays history and so proves itself; a resume does not.
  const method = capabilities.load ? 'session/load' : capabilities.resume ? 'session/resume' : undefined;
  if (method === undefined) return undefined;
  const listed = capabilities.list && (await isListed(handshake, sessionId));
  const params = {
    sessionId,
    cwd: options.worktree,
    mcpServers: [],
    ...(family.sessionMeta && { _meta: family.sessionMeta }),
  };
  try {
    const answer = await agent.request(method, params, timeouts.sessionMs);
    if (method === 'session/load') await historyIsOver(handshake);
    return { sessionId, answer, contextLost: !listed && traffic.updates.replayed === 0 };
  } catch (failure) {
    if (failure instanceof AgentFailure && failure.kind === 'error') return undefined;
    throw failure;
  }
}

async function isListed({ agent, timeouts, options }: Handshake, sessionId: string): Promise<boolean> {
  const answer = await agent
    .request('session/list', { cwd: options.worktree }, timeouts.requestMs)
    .catch((failure: AgentFailure) => {
      if (failure.kind !== 'error') throw failure;
      return undefined;
    });
  const parsed = listSchema.safeParse(answer);
  return parsed.success && parsed.data.sessions.some((session) => session?.sessionId === sessionId);
}

/** Some agents replay history after they answered; what is still old must not be taken for the next prompt's work. */
async function historyIsOver({ traffic }: Handshake): Promise<void> {
  const until = performance.now() + MAX_REPLAY_MS;
  do {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  } while (performance.now() - traffic.updates.lastAt < QUIET_MS && performance.now() < until);
}
