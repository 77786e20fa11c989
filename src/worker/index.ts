/**
 * Lives with one coding agent over ACP v1: starts it in the confinement that it is handed, brings it to a session, sends
 * prompts, relays its requests to policy and supervisor, reports what it does, and ends it.
 * Promises: every step but the prompt itself is bounded in time; everything is bounded in memory, whatever the agent
 * sends; nothing is allowed that policy or the supervisor did not allow, and never more than once; events and reasons
 * carry no known secret; after an end the process group is gone (descendants that left it are the confinement's to end).
 * Refuses: agents of another protocol version, a Reasonix that cannot be made to ask, reading titles as commands,
 * client file systems and terminals (the agent works inside its own mounts). It stores nothing and knows no task.
 */

export { worksThroughHost } from './adapters.ts';
export { eventText, type WorkerEvent } from './events.ts';
export {
  ADAPTER_NAMES,
  type AdapterName,
  EFFORTS,
  type HostServices,
  LANES,
  type ServiceChange,
  type ServiceCommandEnd,
  type ServiceReading,
  type WorkerAnswer,
  type WorkerOptions,
  type WorkerQuestion,
} from './options.ts';
export { startWorker } from './start-worker.ts';
export type { TurnOutcome } from './turn.ts';
export { usageSchema } from './usage.ts';
export { describeWorkerHome, prepareWorkerHome } from './worker-home.ts';
export type { WorkerSession } from './worker-session.ts';
