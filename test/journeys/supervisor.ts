/** A supervisor: a real MCP client that starts a real `remit serve` and calls its three tools. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface SupervisorOptions {
  readonly root: string | undefined;
  readonly environment: Record<string, string>;
  /** Wraps the argv of the server, to run it in another network, say. */
  readonly inside?: (argv: readonly string[]) => readonly string[];
}

/** What a tool answered: its structured content, or its error. */
// biome-ignore lint/suspicious/noExplicitAny: a journey reads whatever the wire brings
export type Answer = Record<string, any>;

export class ToolError extends Error {
  readonly code: string;
  readonly error: Answer;

  constructor(error: Answer) {
    super(`${error['code']}: ${error['message']}`);
    this.code = error['code'];
    this.error = error;
  }
}

export class Supervisor {
  readonly #client: Client;
  readonly #transport: StdioClientTransport;

  private constructor(client: Client, transport: StdioClientTransport) {
    this.#client = client;
    this.#transport = transport;
  }

  static async start(options: SupervisorOptions): Promise<Supervisor> {
    const roots = options.root === undefined ? [] : ['--root', options.root];
    const argv = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, 'serve', ...roots];
    const [command = '', ...args] = options.inside?.(argv) ?? argv;
    const transport = new StdioClientTransport({
      command,
      args,
      env: options.environment,
      stderr: process.env['REMIT_TEST_STDERR'] ? 'inherit' : 'ignore',
    });
    const client = new Client({ name: 'journey', version: '1' });
    await client.connect(transport);
    return new Supervisor(client, transport);
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  async call(name: string, args: Record<string, unknown>): Promise<Answer> {
    const result = await this.#client.callTool({ name, arguments: args }, { timeout: 120_000 });
    const [content] = result.content as { type: string; text: string }[];
    if (result.isError) throw new ToolError(JSON.parse(content?.text ?? '{}').error);
    return result.structuredContent as Answer;
  }

  delegate(taskId: string, contract: unknown, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.call('reasonix_delegate', { task_id: taskId, contract, wait_timeout_seconds: 60, ...more });
  }

  control(taskId: string, action: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.call('reasonix_control', { task_id: taskId, action, ...more });
  }

  inspect(taskId: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.call('reasonix_inspect', { task_id: taskId, ...more });
  }

  /** Approves what was shown, with every review criterion. */
  finalize(shown: Answer, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.control(shown['task_id'], 'finalize', {
      review_summary: 'Read and approved',
      approved_review_criteria: shown['required_review_criteria'],
      expected_review_revision: shown['review_revision'],
      expected_review_tree_hash: shown['review_tree_hash'],
      ...more,
    });
  }

  /** Waits until the task needs somebody or is over. */
  async settled(taskId: string): Promise<Answer> {
    for (let round = 0; round < 60; round += 1) {
      const { sections } = await this.inspect(taskId, { include: ['status'] });
      if (!['provisioning', 'running', 'verifying'].includes(sections.status.state)) return sections.status;
      await this.inspect(taskId, { include: ['status'], wait_ms: 1000, wait_until: 'change' });
    }
    throw new Error(`task ${taskId} did not settle`);
  }

  kill(): void {
    process.kill(this.pid, 'SIGKILL');
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
