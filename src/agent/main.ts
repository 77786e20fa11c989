/** The bundled worker as a program: an ACP agent on its standard streams until its input ends. */
import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { AgentServer } from './server/agent-server.ts';

const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

// Standard output belongs to the protocol alone.
globalThis.console = new Console(process.stderr, process.stderr);

const server = new AgentServer(process.env);
const stream = ndJsonStream(
  Writable.toWeb(process.stdout),
  Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  {
    maxMessageBytes: MAX_MESSAGE_BYTES,
  },
);
const connection = server.app().connect(stream);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => connection.close());
await connection.closed;
await server.close();
process.exit(0);
