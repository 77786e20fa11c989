/**
 * The first program inside a network namespace of its own: `node enter-loopback.ts SOCKET PORT PROGRAM ARGUMENT…`. It
 * hands every connection to the loopback port PORT on to the Unix socket SOCKET, which leads out, and ends as PROGRAM does.
 */
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

const [socket = '', port = '', program = '', ...rest] = process.argv.slice(2);

const relay = createServer((incoming) => {
  const outgoing = connect(socket);
  incoming.pipe(outgoing).pipe(incoming);
  incoming.on('error', () => outgoing.destroy());
  outgoing.on('error', () => incoming.destroy());
});

relay.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, rest, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    console.error(error.message);
    process.exit(127);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
});
