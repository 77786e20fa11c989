import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import manifest from '../../package.json' with { type: 'json' };
import { RemitError } from '../base/index.ts';
import { SERVICES_OFFER } from '../protocol/index.ts';
import { type AgentCapabilities, type AuthMethod, readCapabilities } from './agent-capabilities.ts';
import { AgentFailure, type AgentProcess } from './agent-process.ts';
import type { Family } from './families/family.ts';
import type { WorkerOptions, WorkerTimeouts } from './options.ts';
import type { Traffic } from './traffic.ts';

/** JSON-RPC code with which an ACP agent asks for a login. */
const AUTH_REQUIRED = -32_000;

/** Why a worker cannot be used; the message names the thing and the next step. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
  readonly failure: 'unavailable' | 'incompatible';

  constructor(failure: 'unavailable' | 'incompatible', message: string) {
    super(message);
    this.failure = failure;
  }
}

/** A session id that is not short text would break whatever stores it. */
const SESSION_ID = /^[^\p{Cc}]{1,256}$/u;

/** The parts of one handshake. */
export interface Handshake {
  readonly agent: AgentProcess;
  readonly family: Family;
  readonly traffic: Traffic;
  readonly options: WorkerOptions;
  readonly timeouts: WorkerTimeouts;
}

const WITHOUT_SERVICES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
const WITH_SERVICES = { fs: { readTextFile: true, writeTextFile: true }, terminal: true, _meta: SERVICES_OFFER };

function offersHost({
  family,
  options,
}: Pick<Handshake, 'family'> & { options: Pick<WorkerOptions, 'services'> }): boolean {
  return family.worksThroughHost && options.services !== undefined;
}

/** Agrees on protocol version 1. Only a family that works through the host is offered file system and terminals. */
export async function initialize({ agent, family, options, timeouts }: Handshake): Promise<AgentCapabilities> {
  const params = {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'remit', title: 'Remit', version: manifest.version },
    clientCapabilities: offersHost({ family, options }) ? WITH_SERVICES : WITHOUT_SERVICES,
  };
  const answer = await agent.request('initialize', params, timeouts.initializeMs).catch((failure: AgentFailure) => {
    if (failure.kind === 'error')
      throw new StartRefusal('incompatible', `${failure.message}: it does not speak ACP as Remit does; upgrade it.`);
    if (failure.kind === 'exited') requireConfinement(agent, options);
    throw unusable(
      options.name,
      failure,
      `check that ${options.command.join(' ')} speaks ACP on stdio, or ${family.install}`,
    );
  });
  const capabilities = readCapabilities(answer);
  if (capabilities?.protocolVersion !== PROTOCOL_VERSION) {
    const version = capabilities?.protocolVersion ?? 'none';
    throw new StartRefusal(
      'incompatible',
      `${options.name} speaks ACP version ${version}, Remit speaks ${PROTOCOL_VERSION}: upgrade or downgrade the agent.`,
    );
  }
  return capabilities;
}

/** Before its first answer an end may be the confinement's, and then no advice about the agent would help. */
function requireConfinement(agent: AgentProcess, options: WorkerOptions): void {
  const failure = options.launcherFailure(agent.lastWords());
  if (failure === undefined) return;
  throw new RemitError(
    'sandbox_unavailable',
    `The sandbox of ${options.name} could not be made: ${failure.reason}. ${failure.advice}`,
  );
}

export interface OpenedSession {
  readonly sessionId: string;
  /** What the session answered, for its modes and options. */
  readonly answer: unknown;
  /** A session was to be continued, and it is not proven that the agent remembers it. */
  readonly contextLost: boolean;
}

/** Opens a new session; when the agent asks for a login, tries one that needs no person, once. */
export async function newSession(
  handshake: Handshake,
  capabilities: AgentCapabilities,
  contextLost: boolean,
): Promise<OpenedSession> {
  const { agent, family, options, timeouts } = handshake;
  const params = { cwd: options.worktree, mcpServers: [], ...(family.sessionMeta && { _meta: family.sessionMeta }) };
  const open = () => agent.request('session/new', params, timeouts.sessionMs);
  const answer = await open()
    .catch(async (failure: AgentFailure) => {
      if (failure.code !== AUTH_REQUIRED) throw failure;
      await authenticate(handshake, capabilities.authMethods);
      return open();
    })
    .catch((failure: unknown) => {
      if (!(failure instanceof AgentFailure)) throw failure;
      const login = failure.code === AUTH_REQUIRED;
      throw unusable(
        options.name,
        failure,
        login ? `log in to the agent first: ${family.login}` : 'check its model, key and configuration, then retry',
      );
    });
  return { sessionId: sessionIdOf(answer, options.name), answer, contextLost };
}

function sessionIdOf(answer: unknown, name: string): string {
  const id = (answer as { sessionId?: unknown } | null | undefined)?.sessionId;
  if (typeof id === 'string' && SESSION_ID.test(id)) return id;
  throw new StartRefusal(
    'incompatible',
    `${name} answered session/new without a session id: it does not speak ACP as Remit does; upgrade it.`,
  );
}

async function authenticate(
  { agent, family, options, timeouts }: Handshake,
  methods: readonly AuthMethod[],
): Promise<void> {
  const method = methods.find((candidate) => needsNobody(candidate, options.environment));
  if (method === undefined) {
    const known = methods.map((candidate) => candidate.name || candidate.id).join(', ');
    const offered = known === '' ? '' : ` (it offers: ${known.slice(0, 300)}; each needs a person)`;
    throw new StartRefusal(
      'unavailable',
      `${options.name} asks for a login${offered}: log in to the agent first: ${family.login}.`,
    );
  }
  await agent
    .request('authenticate', { methodId: method.id }, timeouts.authenticateMs)
    .catch((failure: AgentFailure) => {
      throw unusable(options.name, failure, `log in to the agent first: ${family.login}`);
    });
}

/** A method that works from the environment alone. Anything that might open a browser or a terminal is left alone. */
function needsNobody(method: AuthMethod, environment: Readonly<Record<string, string>>): boolean {
  if (method.type === 'terminal') return false;
  if (method.variables.length > 0) return method.variables.every((name) => environment[name]);
  const words = `${method.id} ${method.name}`;
  return (
    /api[-_ ]?key|environment|env[-_ ]?var|\btoken\b/i.test(words) &&
    !/browser|oauth|log ?in|sign ?in|device|terminal/i.test(words)
  );
}

function unusable(name: string, failure: AgentFailure, advice: string): StartRefusal {
  const what = failure.message.startsWith(name) ? failure.message : `${name}: ${failure.message}`;
  return new StartRefusal('unavailable', `${what}. Next: ${advice}.`);
}
