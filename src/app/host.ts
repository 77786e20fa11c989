import type { Log } from '../base/index.ts';
import { recoverTasks } from '../task/index.ts';
import type { ConfigurationSources } from './configuration.ts';
import { control, controlHere } from './control.ts';
import { delegate } from './delegate.ts';
import { inspect } from './inspect.ts';
import type { CallContext, Operations } from './operations.ts';
import { sweepSockets } from './owner/socket-place.ts';
import { type OpenedRooms, openRooms } from './rooms.ts';

export interface Host {
  readonly operations: Operations;
  readonly log: Log;
  /** Ends every worker and verification of this process and closes the store; tasks are recovered at the next start. */
  close(): Promise<void>;
}

/** Opens everything that operations need and lands the tasks of hosts that died. */
export async function openHost(sources: ConfigurationSources): Promise<Host> {
  const rooms = await openRooms(sources);
  await beginService(rooms);
  return { log: rooms.log, operations: operationsOf(rooms), close: () => rooms.close() };
}

/** From here on other processes may ask this one, and nothing that a dead one left lies about. */
export async function beginService(rooms: OpenedRooms): Promise<void> {
  rooms.server.serve({
    control: (input, signal) => controlHere(rooms, input, forwardedCall(signal, [])),
    delegate: (input, roots, signal) => delegate(rooms, input, forwardedCall(signal, roots)),
    release: (taskId) => rooms.tasks.release(taskId),
    watch: (taskId, listener) => rooms.feed.listen(taskId, listener),
  });
  sweepSockets(rooms.places.stateDirectory);
  await recoverTasks(rooms.tools, (record) => rooms.finalizer.recover(record));
}

function operationsOf(rooms: OpenedRooms): Operations {
  return {
    delegate: (input, context) => delegate(rooms, input, context),
    control: (input, context) => control(rooms, input, context),
    inspect: (input, context) => inspect(rooms, input, context),
  };
}

/** The asker follows the task itself, and has checked who asks it. */
function forwardedCall(signal: AbortSignal, roots: readonly string[]): CallContext {
  return { authority: async () => ({ roots: [...roots] }), signal, progress: { requested: true, report: () => {} } };
}
