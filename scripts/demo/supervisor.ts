/** The supervisor's side of the demo: a real MCP client of a real `remit serve`. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

// biome-ignore lint/suspicious/noExplicitAny: the demo shows whatever the wire brings
export type Answer = Record<string, any>;

export class DemoSupervisor {
  readonly #client = new Client({ name: 'remit-demo', version: '1' });

  async connect(command: string, args: string[], environment: Record<string, string>): Promise<string> {
    await this.#client.connect(new StdioClientTransport({ command, args, env: environment, stderr: 'inherit' }));
    const server = this.#client.getServerVersion();
    return `${server?.name} ${server?.version}`;
  }

  /** Calls one tool; an error that the tool answers becomes an exception with its code and message. */
  async call(name: string, input: Record<string, unknown>): Promise<Answer> {
    const result = await this.#client.callTool({ name, arguments: input }, { timeout: 240_000 });
    const [content] = result.content as { type: string; text?: string }[];
    if (result.isError) throw new Error(`${name} was refused: ${content?.text}`);
    return result.structuredContent as Answer;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
