import { type ClientConnection, client, RequestError } from '@agentclientprotocol/sdk';
import { hideSecretsOf, visibleLine } from '../base/index.ts';
import { type Outcome, type RunningProcess, type StartOptions, startProcess } from '../process/index.ts';
import { openMessageStream, ProtocolViolation } from './message-stream.ts';
import { SERVICE_METHODS, type ServiceMethod } from './services/service-requests.ts';
import { StderrTail } from './stderr-tail.ts';

/** How long a worker gets to leave by itself. */
const LEAVE_MS = 1_000;

/** How a worker's life ended, for whoever must explain it. */
export interface ExitFacts {
  readonly outcome: Outcome;
  /** A sentence: how it ended, with its last lines on stderr, redacted. */
  readonly reason: string;
}

/** Why no answer came to a request. `exited` and `violation` mean that the worker is of no further use. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';
  readonly kind: 'exited' | 'violation' | 'timeout' | 'error';
  /** The JSON-RPC code of an `error`. */
  readonly code: number | undefined;

  constructor(kind: AgentFailure['kind'], message: string, code?: number) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/** What the agent may call; everything else is answered with "method not found". */
export interface AgentListener {
  onPermission(params: unknown, signal: AbortSignal): Promise<unknown>;
  onNotification(method: string, params: unknown): void;
  /** Present: the agent may ask for these, too. */
  readonly onService?: ((method: ServiceMethod, params: unknown) => Promise<unknown>) | undefined;
}

/** One running agent: its process tree and the ACP connection to it. Whoever opened it must call `stop`. */
export class AgentProcess {
  readonly pid: number;
  /** Settles when the process has ended. */
  readonly exited: Promise<ExitFacts>;
  readonly #name: string;
  readonly #process: RunningProcess;
  readonly #connection: ClientConnection;
  readonly #stderr: StderrTail;
  readonly #hide: (text: string) => string;
  readonly #stopMs: number;
  /** Settles once, when the process has ended or its connection broke; the tree may still need `stop`. */
  readonly #ended: Promise<AgentFailure>;
  #stopping: Promise<ExitFacts> | undefined;

  constructor(
    name: string,
    launch: StartOptions,
    secrets: Readonly<Record<string, string>>,
    stopMs: number,
    listener: AgentListener,
  ) {
    this.#name = name;
    this.#stopMs = stopMs;
    this.#hide = hideSecretsOf(secrets);
    this.#process = startProcess(launch);
    this.#stderr = new StderrTail(this.#process.stderr);
    const stream = openMessageStream(this.#process.stdin, this.#process.stdout, {
      onNotification: (method, params) => listener.onNotification(method, params),
      onNoise: (line) => this.#stderr.noise(line),
    });
    const host = client({ name: 'remit' }).onRequest(
      'session/request_permission',
      (params) => params,
      ({ params, signal }) => listener.onPermission(params, signal),
    );
    const { onService } = listener;
    for (const method of onService === undefined ? [] : SERVICE_METHODS) {
      host.onRequest(
        method as string,
        (params) => params,
        ({ params }) => onService?.(method, params),
      );
    }
    this.#connection = host.connect(stream);
    this.pid = this.#process.pid;
    this.exited = this.#process.exited.then((outcome) => ({ outcome, reason: this.#describe(outcome) }));
    this.#ended = this.#connection.closed.then(() => this.#whyClosed());
  }

  /** Sends a request and waits, at most `timeoutMs` when given. Rejects with `AgentFailure` only. */
  async request(method: string, params: unknown, timeoutMs?: number): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      if (timeoutMs === undefined) return;
      const message = `${this.#name} did not answer ${method} within ${timeoutMs / 1000} s`;
      timer = setTimeout(() => reject(new AgentFailure('timeout', message)), timeoutMs);
    });
    try {
      return await Promise.race([this.#connection.agent.request<unknown>(method, params), late]);
    } catch (error) {
      throw await this.#failure(method, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a notification; a worker that is gone is no error. */
  notify(method: string, params: unknown): void {
    this.#connection.agent.notify(method, params).catch(() => {});
  }

  /** The end of what it wrote to stderr, redacted and bounded; empty when that is nothing. */
  lastWords(): string {
    return this.#stderr.last(this.#hide);
  }

  /** What it wrote to stderr since the last call, redacted and bounded. */
  stderrNews(): string | undefined {
    return this.#stderr.news(this.#hide);
  }

  /**
   * Ends the whole process tree. `gently`: end of input and a second to leave by itself; then, or `at_once`, SIGTERM and
   * SIGKILL to the group. May be called again; the first call decides.
   */
  stop(how: 'gently' | 'at_once'): Promise<ExitFacts> {
    this.#stopping ??= this.#stop(how);
    return this.#stopping;
  }

  async #stop(how: 'gently' | 'at_once'): Promise<ExitFacts> {
    this.#process.stdin.end();
    if (how === 'gently') await this.#outcomeWithin(LEAVE_MS);
    const outcome = await this.#process.stop(this.#stopMs);
    this.#connection.close();
    return { outcome, reason: this.#describe(outcome) };
  }

  async #failure(method: string, error: unknown): Promise<AgentFailure> {
    if (error instanceof AgentFailure) return error;
    if (error instanceof RequestError && !this.#connection.signal.aborted) {
      const told = visibleLine(this.#hide(error.message)).slice(0, 500);
      return new AgentFailure(
        'error',
        `${this.#name} answered ${method} with an error: ${told} (${error.code})`,
        error.code,
      );
    }
    return this.#ended;
  }

  async #whyClosed(): Promise<AgentFailure> {
    const cause = this.#connection.signal.reason;
    if (cause instanceof ProtocolViolation)
      return new AgentFailure('violation', `${cause.message}: ${this.#name} was ended`);
    // Stdout closes a moment before the process is known to have ended.
    const outcome = await this.#outcomeWithin(LEAVE_MS);
    if (outcome !== undefined) return new AgentFailure('exited', this.#describe(outcome));
    return new AgentFailure('exited', `${this.#name} closed its output but lives on${this.#itsLastWords()}`);
  }

  async #outcomeWithin(milliseconds: number): Promise<Outcome | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), milliseconds);
    });
    const outcome = await Promise.race([this.#process.exited, expired]);
    clearTimeout(timer);
    return outcome;
  }

  #describe(outcome: Outcome): string {
    return `${this.#name} ${describeOutcome(outcome)}${this.#itsLastWords()}`;
  }

  #itsLastWords(): string {
    const words = this.lastWords();
    return words === '' ? '' : `; its last lines: ${words}`;
  }
}

function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'exited':
      return `exited with code ${outcome.exitCode}`;
    case 'signalled':
      return `was ended by ${outcome.signal}`;
    case 'not_started':
      return `could not be started: ${outcome.reason}`;
    case 'timed_out':
    case 'aborted':
      return `was ended (${outcome.kind})`;
  }
}
