/** An MCP client below any library: it sees every byte of the server's standard output, and answers requests as it is told. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Answer } from './supervisor.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** How a client meets a request of the server: a result, an error code, or silence. */
export type Meeting = { result: unknown } | { error: number } | 'silence';

export interface RawClientOptions {
  readonly root: string;
  readonly environment: Record<string, string>;
  readonly capabilities?: Record<string, unknown>;
  readonly meet?: (method: string) => Meeting;
}

export class RawClient {
  /** Every line of standard output, as it came. */
  readonly lines: string[] = [];
  /** Methods that the server asked this client for. */
  readonly asked: string[] = [];
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #meet: (method: string) => Meeting;
  readonly #waiting = new Map<number, (message: Answer) => void>();
  #count = 0;

  private constructor(child: ChildProcessWithoutNullStreams, meet: (method: string) => Meeting) {
    this.#child = child;
    this.#meet = meet;
    child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(line));
  }

  static async start({ root, environment, capabilities = {}, meet = () => 'silence' }: RawClientOptions) {
    const child = spawn(process.execPath, ['--trace-deprecation', MAIN, 'serve', '--root', root], { env: environment });
    const client = new RawClient(child, meet);
    onTestFinished(() => client.close());
    await client.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities,
      clientInfo: { name: 'raw', version: '1' },
    });
    client.#send({ method: 'notifications/initialized' });
    return client;
  }

  async request(method: string, params: Record<string, unknown>): Promise<Answer> {
    const id = ++this.#count;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    return answered;
  }

  /** The result of a tool, whatever it is. */
  async call(name: string, args: Record<string, unknown>): Promise<Answer> {
    return (await this.request('tools/call', { name, arguments: args }))['result'];
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exited;
  }

  #send(message: Record<string, unknown>): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(line: string): void {
    this.lines.push(line);
    const message = parsed(line);
    if (message === undefined) return;
    const { id, method } = message;
    if (method === undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (id !== undefined) this.#answer(id, method);
  }

  #answer(id: unknown, method: string): void {
    this.asked.push(method);
    const meeting = this.#meet(method);
    if (meeting === 'silence') return;
    if ('result' in meeting) this.#send({ id, result: meeting.result });
    else this.#send({ id, error: { code: meeting.error, message: 'no' } });
  }
}

function parsed(line: string): Answer | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
