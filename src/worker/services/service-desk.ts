import { relative } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import type { Action, ActionPath, Decision } from '../../policy/index.ts';
import { DENIED, META, METHODS } from '../../protocol/index.ts';
import { eventLine } from '../events.ts';
import type { HostServices, ServiceCommandEnd, WorkerOptions } from '../options.ts';
import type { Turn } from '../turn.ts';
import { resolveEntry, resolveInWorktree } from '../worktree-path.ts';
import { SERVICE_REQUESTS, type ServiceMethod, type ServiceRequest } from './service-requests.ts';
import { Terminals } from './terminals.ts';

/** ACP: what was asked for does not exist. */
const NOT_FOUND = -32_002;
/** The effect could not be had; the message follows the path: "is a folder". */
const REFUSED = -32_009;

const LONGEST_COMMAND_MS = 600_000;
const MOST_WAITING = 64;

type Denied = Extract<Decision, { kind: 'deny' }>;

export interface DeskParts extends Pick<WorkerOptions, 'decide' | 'ask' | 'onEvent'> {
  readonly services: HostServices;
  /** Real. */
  readonly worktree: string;
  readonly hide: (text: string) => string;
  /** The turn that runs, if the session is this one. */
  turnOf(sessionId: string): Turn | undefined;
  /** Counts a denial; the same one again and again ends the turn. */
  denied(turn: Turn, key: string, decision: Denied, action: string): void;
}

/** Answers what the worker asks of the host: each effect is decided first, then done by the host, one after the other. */
export class ServiceDesk {
  readonly #parts: DeskParts;
  readonly #terminals = new Terminals();
  #changes: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** Rejects with a `RequestError` alone; the worker reads its sentence. */
  async answer(method: ServiceMethod, params: unknown): Promise<unknown> {
    const parsed = SERVICE_REQUESTS[method].safeParse(params);
    if (!parsed.success) throw RequestError.invalidParams(undefined, describeIssue(parsed.error.issues[0]));
    const turn = this.#parts.turnOf(parsed.data.sessionId);
    if (turn === undefined || turn.signal.aborted)
      throw RequestError.invalidRequest(undefined, 'no turn of this session is running');
    turn.asked = true;
    return this.#serve(method, parsed.data as never, turn);
  }

  /** Ends the commands of a turn that is over; when it settles nothing happens for it any more. */
  async endTurn(): Promise<void> {
    this.#terminals.endAll();
    await this.#changes;
  }

  async #serve(method: ServiceMethod, request: never, turn: Turn): Promise<unknown> {
    const { services } = this.#parts;
    switch (method) {
      case 'fs/read_text_file':
        return this.#read(request, turn);
      case 'fs/write_text_file':
        return this.#write(request, turn);
      case METHODS.move: {
        const { from, to, expected } = request as ServiceRequest<typeof METHODS.move>;
        const [source, target] = await this.#allow('move', [from, to], turn);
        return this.#inOrder(turn, () => services.moveFile(source as string, target as string, { expected }));
      }
      case METHODS.remove: {
        const { path, expected } = request as ServiceRequest<typeof METHODS.remove>;
        const [target] = await this.#allow('delete', [path], turn);
        return this.#inOrder(turn, () =>
          services.removeFile(target as string, expected === undefined ? {} : { expected }),
        );
      }
      case 'terminal/create':
        return this.#run(request, turn);
      case METHODS.claim:
        return this.#inOrder(turn, () => services.claim((request as ServiceRequest<typeof METHODS.claim>).claim));
      case METHODS.gate:
        return this.#inOrder(turn, () => services.gate());
      default:
        return this.#terminal(method, (request as ServiceRequest<'terminal/output'>).terminalId);
    }
  }

  async #read({ path, line, limit }: ServiceRequest<'fs/read_text_file'>, turn: Turn): Promise<unknown> {
    const [target] = await this.#allow('read', [path], turn);
    const lines =
      line == null && limit == null ? undefined : { from: line ?? 1, count: limit ?? Number.MAX_SAFE_INTEGER };
    const reading = await this.#inOrder(turn, () => this.#parts.services.readFile(target as string, lines));
    if (reading.kind === 'absent') throw new RequestError(NOT_FOUND, 'does not exist');
    if (reading.kind === 'refused') throw new RequestError(REFUSED, reading.reason);
    const { text, sha256, totalLines, mode } = reading;
    return { content: text, _meta: { [META]: { sha256, total_lines: totalLines, mode } } };
  }

  async #write({ path, content, _meta }: ServiceRequest<'fs/write_text_file'>, turn: Turn): Promise<unknown> {
    const [target] = await this.#allow('edit', [path], turn);
    const { expected, mode } = _meta?.[META] ?? {};
    const how = { ...(expected !== undefined && { expected }), ...(mode !== undefined && { mode }) };
    if (!content.isWellFormed()) throw RequestError.invalidParams(undefined, 'content holds half a character');
    const outcome = await this.#inOrder(turn, () =>
      this.#parts.services.writeFile(target as string, Buffer.from(content), how),
    );
    return { _meta: { [META]: outcome } };
  }

  async #run(request: ServiceRequest<'terminal/create'>, turn: Turn): Promise<unknown> {
    const { worktree, services } = this.#parts;
    const { command, args = [], cwd, outputByteLimit, _meta } = request;
    const argv = [command, ...args];
    const folder = await resolveInWorktree(worktree, cwd ?? worktree);
    await this.#permit({ kind: 'execute', argv, cwd: folder }, eventLine(`execute ${argv.join(' ')}`), turn);
    const timeoutMs = Math.min(_meta?.[META]?.timeout_ms ?? LONGEST_COMMAND_MS, LONGEST_COMMAND_MS);
    const outputBytes = outputByteLimit ?? Number.MAX_SAFE_INTEGER;
    const inside = folder.kind === 'inside' ? folder.path : '';
    const terminalId = this.#terminals.create((ended) => {
      const signal = AbortSignal.any([ended, turn.signal]);
      const run = () => services.runCommand(argv, inside, { timeoutMs, signal, outputBytes });
      // It may have been ended while it waited.
      return this.#inOrder(turn, async () => (signal.aborted ? { refused: 'was cancelled before it began' } : run()));
    });
    return { terminalId };
  }

  async #terminal(method: ServiceMethod, id: string): Promise<unknown> {
    switch (method) {
      case 'terminal/kill':
        this.#terminals.kill(id);
        return {};
      case 'terminal/release':
        this.#terminals.release(id);
        return {};
      case 'terminal/wait_for_exit':
        return exitOf(requireRun(await this.#terminals.wait(id)));
      default:
        return outputOf(this.#terminals.end(id));
    }
  }

  /** The paths as they stand in the worktree, once policy or the supervisor has allowed the effect. */
  async #allow(kind: 'read' | 'edit' | 'move' | 'delete', named: readonly string[], turn: Turn): Promise<string[]> {
    const { worktree } = this.#parts;
    // What is deleted is a link itself, never what it leads to.
    const resolve = kind === 'delete' ? resolveEntry : resolveInWorktree;
    const paths = await Promise.all(named.map((path) => resolve(worktree, path)));
    const shown = paths.map((path) => (path.kind === 'inside' ? path.path || '.' : path.shown)).join(', ');
    await this.#permit({ kind, paths }, eventLine(`${kind} ${shown}`), turn);
    return paths.map((path, at) => plainPath(path, named[at] ?? '', worktree));
  }

  /** One decision for each effect; what only reads and is allowed is told by its receipt alone. */
  async #permit(action: Action, shown: string, turn: Turn): Promise<void> {
    const { decide, onEvent, hide } = this.#parts;
    const decision = decide(action);
    const summary = hide(shown);
    if (action.kind !== 'read' || decision.kind !== 'allow')
      onEvent({ type: 'decision', action: summary, decision: decision.kind, clause: decision.clause });
    if (decision.kind === 'deny') {
      this.#parts.denied(turn, JSON.stringify([decision.code, decision.clause, action]), decision, summary);
      throw denial(decision.clause, decision.hint);
    }
    if (decision.kind === 'ask' && !(await this.#ask(summary, decision.clause, turn)))
      throw denial('the supervisor did not allow it', 'Do without it, or say why it is needed.');
  }

  async #ask(title: string, clause: string, turn: Turn): Promise<boolean> {
    const options = [
      { id: 'allow', name: 'Allow once', kind: 'allow_once' },
      { id: 'reject', name: 'Reject', kind: 'reject_once' },
    ];
    const answer = await this.#parts.ask({ kind: 'permission', title, detail: { clause }, options }, turn.signal);
    return answer.kind === 'allow' || (answer.kind === 'option' && answer.optionId === 'allow');
  }

  /** The ledger must tell what happened in the order in which it did; what waited beyond its turn does not happen. */
  #inOrder<T>(turn: Turn, act: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING)
      throw RequestError.invalidRequest(undefined, `at most ${MOST_WAITING} requests at once`);
    this.#waiting += 1;
    const inTime = () => {
      if (turn.signal.aborted) throw RequestError.invalidRequest(undefined, 'the turn is over');
      return act();
    };
    const result = this.#changes.then(inTime).finally(() => {
      this.#waiting -= 1;
    });
    this.#changes = result.catch(() => {});
    return result;
  }
}

/** A path that leads through a link is another file than it says; whoever performs the effect follows none. */
function plainPath(path: ActionPath, named: string, worktree: string): string {
  const written = relative(worktree, named);
  if (path.kind === 'inside' && path.path === written && written !== '') return written;
  throw new RequestError(
    REFUSED,
    path.kind === 'inside' && path.path === '' ? 'is the folder itself' : 'leads through a link',
  );
}

function denial(clause: string, hint: string): RequestError {
  return new RequestError(DENIED, `${clause}. ${hint}`, { clause, hint });
}

type EndedCommand = Exclude<ServiceCommandEnd, { refused: string }>;

function requireRun(end: ServiceCommandEnd): EndedCommand {
  if ('refused' in end) throw new RequestError(REFUSED, end.refused);
  return end;
}

function exitOf({ exit_code }: EndedCommand) {
  return { exitCode: exit_code, signal: null };
}

function outputOf(end: ServiceCommandEnd | undefined) {
  if (end === undefined) return { output: '', truncated: false };
  const result = requireRun(end);
  const { stdout, stderr } = result;
  return {
    output: `${stdout.text}${stderr.text}`,
    truncated: stdout.truncated || stderr.truncated,
    exitStatus: exitOf(result),
    _meta: { [META]: result },
  };
}

function describeIssue(issue: { path: readonly PropertyKey[]; message: string } | undefined): string {
  return issue === undefined
    ? 'the request cannot be read'
    : `${issue.path.map(String).join('.') || 'params'}: ${issue.message}`;
}
