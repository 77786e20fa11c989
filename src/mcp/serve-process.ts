/** The life of a serving process: whatever happens, it closes the host first, within bounds, and then ends. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../base/index.ts';
import { claimStdout } from './claim-stdout.ts';
import { createServer, type Face } from './create-server.ts';
import { HostDoor, type OpenedHost } from './host-door.ts';
import { LineTransport } from './line-transport.ts';

/** Longest time for workers and verification to end and for the last answer to be written. */
const CLOSE_MS = 15_000;
const FLUSH_MS = 2_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Never returns: the process ends when its client closes standard input or output, at a signal, or after a crash. */
export async function serveProcess(face: Face, open: () => Promise<OpenedHost>): Promise<never> {
  const output = claimStdout();
  const host = new HostDoor(open);
  const end = endOfProcess(host.log);
  const transport = new LineTransport(process.stdin, output);
  const connection = serveStdio(() => createServer(face, host), {
    transport,
    onerror: (error) => host.log('warn', 'protocol error', { error: error.message }),
  });
  host.operations().catch((error) => host.log('error', 'the host could not be opened', { error: String(error) }));

  const exitCode = await Promise.race([end, transport.closed.then(() => 0)]);
  await within(CLOSE_MS, host.close());
  await within(FLUSH_MS, connection.close());
  await within(FLUSH_MS, new Promise<void>((resolve) => output.end(resolve)));
  process.exit(exitCode);
}

/** Resolves with the exit code when a signal asks for the end (the second ends at once), or after a throw that nobody caught. */
function endOfProcess(log: Log): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let signals = 0;
  const onSignal = () => {
    signals += 1;
    if (signals > 1) process.exit(1);
    resolve(0);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const crash = (kind: string) => (error: unknown) => {
    log('error', kind, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    process.stderr.write(`remit: ${kind}; this server ends, tasks are recovered at the next start\n`);
    resolve(1);
  };
  process.on('uncaughtException', crash('uncaught exception'));
  process.on('unhandledRejection', crash('unhandled rejection'));
  return promise;
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work.catch(() => {}), promise]);
  clearTimeout(timer);
}
