import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Log, RemitError } from '../../base/index.ts';
import type { Activity } from '../../task/index.ts';
import type { ControlAction, DelegateInput, DelegateOutput, TaskView } from '../wire-schemas.ts';
import { removeSocket } from './socket-place.ts';

/** What a process does for others at the tasks that it owns. They have checked their caller's authority themselves. */
export interface OwnerDuties {
  control(input: ControlAction, signal: AbortSignal): Promise<TaskView>;
  delegate(input: DelegateInput, roots: readonly string[], signal: AbortSignal): Promise<DelegateOutput>;
  /** Lets go of a task that nobody works on, its idle worker ended, so that the asker may resume it. */
  release(taskId: string): Promise<void>;
  watch(taskId: string, listener: (activity: Activity) => void): () => void;
}

/** The questions that one process may ask another; `v1` changes when an old asker would be misunderstood. */
export const OWNER_PATHS = {
  control: '/v1/control',
  delegate: '/v1/delegate',
  release: '/v1/release',
  feed: '/v1/feed',
} as const;

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A watcher that reads this much too slowly misses activity instead of filling the owner's memory. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * The private door of a process that owns tasks: HTTP on a Unix socket that only this user can open. An open feed tells its
 * reader of the owner's death at once, since the system closes it.
 */
export class OwnerServer {
  readonly path: string;
  readonly #server: Server;
  readonly #log: Log;
  #duties: OwnerDuties | undefined;
  #connections = 0;
  /** Called when the last connection has gone. */
  onQuiet: () => void = () => {};

  private constructor(path: string, log: Log) {
    this.path = path;
    this.#log = log;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('connection', (socket) => {
      this.#connections += 1;
      socket.on('close', () => {
        this.#connections -= 1;
        if (this.#connections === 0) this.onQuiet();
      });
    });
  }

  /** Listens at once; what others may ask for follows with `serve`, before anybody can know of the path. */
  static async open(path: string, log: Log): Promise<OwnerServer> {
    const owner = new OwnerServer(path, log);
    await new Promise<void>((resolve, reject) => {
      owner.#server.once('error', reject);
      owner.#server.listen(path, resolve);
    });
    chmodSync(path, 0o600);
    // It is there for others; a process with nothing else to do may end.
    owner.#server.unref();
    return owner;
  }

  serve(duties: OwnerDuties): void {
    this.#duties = duties;
  }

  get isQuiet(): boolean {
    return this.#connections === 0;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    removeSocket(this.path);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const abort = new AbortController();
    response.on('close', () => abort.abort(new Error('the asker went away')));
    try {
      const duties = this.#duties;
      if (duties === undefined) throw new Error('this process does not serve yet');
      const url = new URL(request.url ?? '/', 'http://owner');
      if (url.pathname === OWNER_PATHS.feed) return feed(duties, url.searchParams.get('task_id') ?? '', response);
      const body = JSON.parse(await readBody(request)) as Record<string, unknown>;
      const result = await perform(duties, url.pathname, body, abort.signal);
      send(response, 200, { result: result ?? null });
    } catch (error) {
      if (!(error instanceof RemitError)) this.#log('error', 'a forwarded call failed', { error: String(error) });
      send(response, 422, { error: errorFacts(error) });
    }
  }
}

/** The socket is this user's alone, so the askers are Remit itself: shapes are trusted, the path tells the version. */
function perform(
  duties: OwnerDuties,
  path: string,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  switch (path) {
    case OWNER_PATHS.control:
      return duties.control(body['input'] as ControlAction, signal);
    case OWNER_PATHS.delegate:
      return duties.delegate(body['input'] as DelegateInput, body['roots'] as string[], signal);
    case OWNER_PATHS.release:
      return duties.release(String(body['task_id']));
    default:
      throw new RemitError(
        'unsupported_platform',
        'The Remit process that has this task is of another version: end its client, then try again.',
      );
  }
}

function feed(duties: OwnerDuties, taskId: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  const stop = duties.watch(taskId, (activity) => {
    if (response.writableLength < MAX_UNREAD_BYTES) response.write(`${JSON.stringify(activity)}\n`);
  });
  response.on('close', stop);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RemitError('invalid_request', 'The forwarded call is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(value));
}

function errorFacts(error: unknown) {
  const known =
    error instanceof RemitError
      ? error
      : new RemitError('internal_error', 'The process that has this task failed; its log has the cause.');
  const { code, message, retryable, details } = known;
  return { code, message, retryable, ...(details && { details }) };
}
