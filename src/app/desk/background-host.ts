/** A host of its own for what a person at a shell delegates, so that the work goes on when the terminal closes. */
import { z } from 'zod';
import { isErrorCode, RemitError } from '../../base/index.ts';
import { startDetached } from '../../process/index.ts';
import type { ConfigurationSources, SettingFlags } from '../configuration.ts';
import { beginService } from '../host.ts';
import { type OpenedRooms, openRooms } from '../rooms.ts';

/** What it is started with, as JSON on its standard input. */
const orderSchema = z.strictObject({ flags: z.record(z.string(), z.unknown()) });

/** Its one line of output: where it listens, or why it could not begin. */
const readySchema = z.union([
  z.strictObject({ socket: z.string() }),
  z.strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) }),
]);

const START_MS = 30_000;

/** A host that nobody called within this time was started for a caller that is gone. */
const FIRST_CALL_MS = 30_000;

/** Starts one with the caller's settings; answers where it listens. `command` runs this program as such a host. */
export async function startBackgroundHost(
  command: readonly string[],
  { flags, environment }: ConfigurationSources,
): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const order = JSON.stringify({ flags });
  const detached = await startDetached({ argv: command, cwd: '/', env, stdin: order, timeoutMs: START_MS });
  if (detached.kind !== 'started') {
    throw new RemitError(
      'internal_error',
      `The host that would have done the work in the background did not start (${detached.kind}); its log may say why.`,
    );
  }
  const ready = readySchema.parse(JSON.parse(detached.line));
  if ('socket' in ready) return ready.socket;
  const { code, message } = ready.error;
  throw new RemitError(isErrorCode(code) ? code : 'internal_error', message);
}

/**
 * Is such a host: says where it listens and serves until nobody is connected and none of its tasks is at work, or the signal
 * aborts. What then still waits for somebody is kept, and any other process may go on with it.
 */
export async function runBackgroundHost(
  order: string,
  sources: Omit<ConfigurationSources, 'flags'>,
  options: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const flags = orderSchema.parse(JSON.parse(order)).flags as SettingFlags;
  const rooms = await openRooms({ ...sources, flags }).catch((error: unknown) => {
    if (!(error instanceof RemitError)) throw error;
    options.say(JSON.stringify({ error: { code: error.code, message: error.message } }));
  });
  if (rooms === undefined) return;
  await beginService(rooms);
  const { promise: over, resolve } = Promise.withResolvers<void>();
  options.signal.addEventListener('abort', () => resolve(), { once: true });
  if (options.signal.aborted) resolve();
  const stopLooking = whenIdle(rooms, resolve);
  options.say(JSON.stringify({ socket: rooms.server.path }));
  await over;
  stopLooking();
  await rooms.close();
}

/**
 * Looks whenever the last connection ends and, from then on, whenever any process commits: before the first call all is quiet,
 * too. The answer ends it.
 */
function whenIdle({ server, journal, store, log }: OpenedRooms, end: () => void): () => void {
  let wasCalled = false;
  const look = () => {
    if (!wasCalled || !server.isQuiet) return;
    try {
      if (!journal.isAtWork) end();
    } catch (error) {
      // What cannot be read just now must not end the work with it.
      log('warn', 'whether a task is at work could not be read', { error: String(error) });
    }
  };
  const lookFromNowOn = () => {
    wasCalled = true;
    look();
  };
  server.onQuiet = lookFromNowOn;
  const timer = setTimeout(lookFromNowOn, FIRST_CALL_MS);
  const stopListening = store.onCommit(look);
  return () => {
    server.onQuiet = () => {};
    clearTimeout(timer);
    stopListening();
  };
}
