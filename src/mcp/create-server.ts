import { Server } from '@modelcontextprotocol/server';
import { CODEX_SANDBOX_KEY, type OperationDefinition } from '../app/index.ts';
import { type CallTools, callTool } from './call-tool.ts';

/** What is shown to a client. */
export interface Face {
  readonly definitions: readonly OperationDefinition[];
  readonly instructions: string;
  readonly version: string;
}

/** One client's server; `serveStdio` makes one per connection and speaks either era through it. */
export function createServer(face: Face, host: Pick<CallTools, 'operations' | 'log'>): Server {
  const server = new Server(
    { name: 'remit', title: 'Remit', version: face.version },
    {
      // Codex sends its sandbox state with each call to a server that states this capability.
      capabilities: { tools: {}, experimental: { [CODEX_SANDBOX_KEY]: {} } },
      instructions: face.instructions,
    },
  );
  const tools: CallTools = {
    definitions: face.definitions,
    operations: () => host.operations(),
    log: host.log,
    client: { info: () => server.getClientVersion(), capabilities: () => server.getClientCapabilities() },
    roots: { silent: false },
  };
  server.setRequestHandler('tools/list', () => ({ tools: face.definitions.map(describeTool) }));
  server.setRequestHandler('tools/call', ({ params }, context) => callTool(tools, params, context));
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    tools.roots.silent = false;
  });
  return server;
}

function describeTool({ name, title, description, annotations, inputSchema, outputSchema }: OperationDefinition) {
  return { name, title, description, annotations, inputSchema, outputSchema };
}
