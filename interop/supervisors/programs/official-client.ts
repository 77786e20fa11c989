/** The client library of the protocol, which many programs are built on: no model, the calls are made one after another. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Workshop } from '../../../test/journeys/workshop.ts';
import {
  type Answer,
  type Call,
  type ConversationOptions,
  readAnswer,
  type SupervisorProgram,
} from '../conversation.ts';

const REMIT = fileURLToPath(new URL('../../../bin/remit', import.meta.url));
const NEWEST_ERA = '2026-07-28';

/** Begins with `initialize`, as programs did until 2025. */
export const sessionClient = officialClient('2025 era', {});

/** Begins with `server/discover`; the server can only ask by its answer. */
export const statelessClient = officialClient(`${NEWEST_ERA} era`, {
  versionNegotiation: { mode: { pin: NEWEST_ERA } },
});

function officialClient(era: string, negotiation: Pick<ClientOptions, 'versionNegotiation'>): SupervisorProgram {
  return {
    title: `@modelcontextprotocol/client, ${era}`,
    unavailable: undefined,
    planted: [],
    async converse(workshop, calls, options = {}) {
      const client = await connect(workshop, negotiation);
      try {
        const answers: Answer[] = [];
        if (options.endedAfter !== undefined) {
          void make(client, calls[0] as Call, answers, options);
          await options.endedAfter;
          return answers;
        }
        for (const call of calls) answers.push(await make(client, call, answers, options));
        return answers;
      } finally {
        await client.close();
      }
    },
  };
}

async function connect(workshop: Workshop, negotiation: Pick<ClientOptions, 'versionNegotiation'>): Promise<Client> {
  const client = new Client({ name: 'interop', version: '1' }, { capabilities: { roots: {} }, ...negotiation });
  const roots = [{ uri: pathToFileURL(workshop.repository).href }];
  client.setRequestHandler('roots/list', () => ({ roots }));
  const env = workshop.environment;
  await client.connect(new StdioClientTransport({ command: REMIT, args: ['serve'], env, stderr: 'ignore' }));
  return client;
}

async function make(client: Client, call: Call, answers: Answer[], options: ConversationOptions): Promise<Answer> {
  const { callTimeoutSeconds } = options;
  const limit = callTimeoutSeconds === undefined ? {} : { timeout: callTimeoutSeconds * 1000 };
  try {
    const { content } = await client.callTool({ name: call.tool, arguments: call.arguments(answers) }, limit);
    return readAnswer((content as { text?: string }[])[0]?.text ?? '');
  } catch (error) {
    return { said: String(error) };
  }
}
