/** A real `remit serve` over real MCP, as a client sees it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Place, REMIT } from './place.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a tool answers is the wire's
type Answer = Record<string, any>;

const CONTRACT = {
  schema_version: 1,
  objective: 'Change one file',
  user_outcome: 'The file is changed',
  write_scope: ['src/area-0/file-0.txt'],
  acceptance_criteria: [
    { id: 'right', requirement: 'The change is what was asked for', evidence: 'review' },
    { id: 'proven', requirement: 'The check passes', evidence: 'automated' },
  ],
};

/** The verification command of every task; the floor runs the same. */
export const CHECK = ['test', '-f', 'src/area-0/file-0.txt'] as const;

export class Server {
  readonly #place: Place;
  readonly #client: Client;
  readonly #transport: StdioClientTransport;

  private constructor(place: Place, client: Client, transport: StdioClientTransport) {
    this.#place = place;
    this.#client = client;
    this.#transport = transport;
  }

  /** Resolves when `initialize` is answered. */
  static async start(place: Place): Promise<Server> {
    const args = ['serve', '--root', place.repository];
    const transport = new StdioClientTransport({ command: REMIT, args, env: place.environment, stderr: 'ignore' });
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(transport);
    return new Server(place, client, transport);
  }

  async delegateInBackground(taskId: string): Promise<void> {
    const contract = { ...CONTRACT, verification: [{ id: 'check', argv: [...CHECK], proves: ['proven'] }] };
    await this.#call('reasonix_delegate', { task_id: taskId, contract, wait_mode: 'background' });
  }

  async reviewed(taskId: string): Promise<Answer> {
    const waiting = { include: ['status'], wait_ms: 30_000, wait_until: 'review_required' };
    const { sections } = await this.#call('reasonix_inspect', { task_id: taskId, ...waiting });
    if (sections.status.state !== 'review_required') throw new Error(`task ${taskId}: ${JSON.stringify(sections)}`);
    return sections.status;
  }

  async finalize(status: Answer): Promise<void> {
    const done = await this.#call('reasonix_control', {
      task_id: status['task_id'],
      action: 'finalize',
      review_summary: 'Read and approved',
      approved_review_criteria: ['right'],
      expected_review_revision: status['review_revision'],
      expected_review_tree_hash: status['review_tree_hash'],
    });
    if (done['state'] !== 'completed') throw new Error(`not completed: ${JSON.stringify(done)}`);
  }

  /** When the agent got its prompt and when it answered, in milliseconds since 1970. */
  agentTimes(taskId: string): { prompted: number; answered: number } {
    const path = readdirSync(this.#place.state, { recursive: true, encoding: 'utf8' }).find(
      (name) => name.includes(taskId) && name.endsWith('bench-times.jsonl'),
    );
    return JSON.parse(readFileSync(join(this.#place.state, path ?? ''), 'utf8').split('\n')[0] ?? '');
  }

  /** Resident memory in MiB; undefined where the system does not tell it in /proc. */
  memory(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#transport.pid}/status`, 'latin1');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
    } catch {
      return undefined;
    }
  }

  /**
   * A reviewer takes longer than the host needs to bring a testbed to the tree in the background: waits until it runs no Git
   * and uses no processor for a third of a second.
   */
  async quiet(): Promise<void> {
    let used = this.#processorTicks();
    for (let calm = 0, looks = 0; calm < 3 && looks < 1_000; looks += 1) {
      await setTimeout(110);
      const now = this.#processorTicks();
      calm = this.#runsGit() || now - used > 1 ? 0 : calm + 1;
      used = now;
    }
  }

  /** Hundredths of a second; 0 where the system does not tell. Fields of proc_pid_stat(5). */
  #processorTicks(): number {
    try {
      const text = readFileSync(`/proc/${this.#transport.pid}/stat`, 'latin1');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return Number(fields[11]) + Number(fields[12]);
    } catch {
      return 0;
    }
  }

  #runsGit(): boolean {
    const pid = this.#transport.pid;
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
      return children.some((child) => readFileSync(`/proc/${child}/comm`, 'latin1').startsWith('git'));
    } catch {
      return false;
    }
  }

  async #call(name: string, args: Record<string, unknown>): Promise<Answer> {
    const result = await this.#client.callTool({ name, arguments: args }, { timeout: 120_000 });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    return result.structuredContent as Answer;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
