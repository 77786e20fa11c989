import { pathToFileURL } from 'node:url';
import { RemitError } from '../../base/index.ts';
import { parseStoredContract } from '../../contract/index.ts';
import { discoverRepository } from '../../git/index.ts';
import type { ConfigurationSources } from '../configuration.ts';
import { controlHere } from '../control.ts';
import { delegate } from '../delegate.ts';
import { beginService } from '../host.ts';
import type { CallContext } from '../operations.ts';
import { askOwner, OwnerGone } from '../owner/ask-owner.ts';
import { OWNER_PATHS } from '../owner/owner-server.ts';
import { type OpenedRooms, openRooms } from '../rooms.ts';
import { reviewOf, viewTask } from '../task-view.ts';
import {
  type ControlAction,
  controlOutputSchema,
  type DelegateInput,
  type DelegateOutput,
  delegateOutputSchema,
  parseControl,
  parseDelegate,
  type TaskView,
} from '../wire-schemas.ts';
import { startBackgroundHost } from './background-host.ts';
import { showTask, type TaskDetail } from './task-detail.ts';
import { showEvidence, type TaskEvidence } from './task-evidence.ts';
import { listTasks, type TaskListing } from './task-listing.ts';
import { followTask, type TaskNews } from './task-news.ts';

/** Longest wait that the desk asks an owner for; who waits longer follows the task. */
const FINALIZE_SECONDS = 600;

/**
 * Where a person at a shell works: reads every task of the state directory, and has what changes one done by the process
 * that owns it. Where there is none, work is begun in a background host, so that it outlives this process; only stopping
 * a task is done at once. Who can open the state directory has authority over all of its tasks; what is asked for is judged
 * like the call of any client.
 */
export interface Desk {
  /** Delegates, or attaches to the same task; answers at once. The contract's paths are read from the repository's root unless said otherwise. */
  delegate(input: DelegateInput, directory: string): Promise<DelegateOutput>;
  /** Goes on with a paused task. Throws `invalid_request` with the fresh tokens when those are stale. */
  resume(
    taskId: string,
    tokens: { pauseRevision: number; pauseReasonHash: string },
    message?: string,
  ): Promise<DelegateOutput>;
  /** A finalize is held until it is committed or back at review; aborting the signal ends the wait, not the task. */
  control(action: ControlAction, signal?: AbortSignal): Promise<TaskView>;
  /** The newest first. With a directory: only tasks of the repository that it lies in. */
  list(filter: { readonly directory?: string | undefined; readonly onlyLiving?: boolean }): Promise<TaskListing>;
  /** `task_not_found` when there is none, as for everything below. */
  show(taskId: string): Promise<TaskDetail>;
  /** The candidate's whole diff, escaped. `invalid_state` when there is no candidate. */
  diff(taskId: string): Promise<string>;
  evidence(taskId: string): Promise<TaskEvidence>;
  follow(taskId: string, options: { signal: AbortSignal; onlyNew?: boolean }): AsyncGenerator<TaskNews>;
  close(): Promise<void>;
}

/** `hostCommand` runs this program as a background host: see `runBackgroundHost`. */
export async function openDesk(sources: ConfigurationSources, hostCommand: readonly string[]): Promise<Desk> {
  const rooms = await openRooms(sources);
  await beginService(rooms);
  const background = () => startBackgroundHost(hostCommand, sources);
  const landed = async (taskId: string) => {
    await rooms.recover(taskId);
    return taskId;
  };
  const delegateInBackground = async (input: DelegateInput, root: string) => {
    const body = { input: { ...input, wait_mode: 'background' }, roots: [pathToFileURL(root).href] };
    return delegateOutputSchema.parse(await askBackground(await background(), OWNER_PATHS.delegate, body));
  };
  return {
    async delegate(given, directory) {
      const input = parseDelegate(given);
      const status = rooms.journal.find(input.task_id)?.status;
      // One that failed before it began may be tried again under its id, once what it left is gone.
      if (status?.state === 'failed') await rooms.owners.release(input.task_id);
      if (status === undefined || status.state === 'failed') return delegateInBackground(input, directory);
      const looking = { ...input, wait_mode: 'background' as const, resume: false };
      return delegate(rooms, looking, deskCall(new AbortController().signal, [pathToFileURL(directory).href]));
    },
    async resume(taskId, tokens, message) {
      const record = rooms.journal.read(await landed(taskId));
      const input: DelegateInput = {
        task_id: taskId,
        contract: parseStoredContract(record.contract),
        path_base: 'repository',
        wait_mode: 'background',
        pause_revision: tokens.pauseRevision,
        pause_reason_hash: tokens.pauseReasonHash,
        ...(message !== undefined && { resume_message: message }),
      } as DelegateInput;
      return delegateInBackground(input, record.repository.root);
    },
    async control(given, signal = new AbortController().signal) {
      const action = parseControl(given);
      await landed(action.task_id);
      const context = deskCall(signal);
      const done = await rooms.owners.control(action, FINALIZE_SECONDS, context);
      if (done !== undefined) return done;
      // What needs a process that goes on is not begun in one that ends with its command.
      if (action.action === 'cancel' || action.action === 'close') return controlHere(rooms, action, context);
      const input = action.action === 'finalize' ? { ...action, wait_timeout_seconds: FINALIZE_SECONDS } : action;
      try {
        return controlOutputSchema.parse(
          await askBackground(await background(), OWNER_PATHS.control, { input }, signal),
        );
      } catch (error) {
        if (signal.aborted) return viewTask(rooms.journal.read(action.task_id));
        throw error;
      }
    },
    async list({ directory, onlyLiving }) {
      const repositoryId = directory === undefined ? undefined : await repositoryIn(rooms, directory);
      return listTasks(rooms, { ...(repositoryId !== undefined && { repositoryId }), onlyLiving: onlyLiving === true });
    },
    show: async (taskId) => showTask(rooms, await landed(taskId)),
    async diff(taskId) {
      const record = rooms.journal.read(await landed(taskId));
      const review = reviewOf(record);
      if (review !== undefined) return rooms.diffs.read(record, review);
      throw new RemitError(
        'invalid_state',
        `Task ${taskId} is ${record.status.state}: there is no candidate to show.`,
        {
          details: { state: record.status.state },
        },
      );
    },
    evidence: async (taskId) => showEvidence(rooms, await landed(taskId)),
    async *follow(taskId, options) {
      yield* followTask(rooms, await landed(taskId), options);
    },
    close: () => rooms.close(),
  };
}

/** Asks a background host that was just started, or tells that it is gone. An aborted question is answered by the task as it is. */
async function askBackground(socket: string, path: string, body: unknown, signal = new AbortController().signal) {
  try {
    return await askOwner(socket, path, body, signal);
  } catch (error) {
    if (!(error instanceof OwnerGone) || signal.aborted) throw error;
    throw new RemitError(
      'internal_error',
      'The host that works in the background ended unexpectedly; its log says why, and no work is lost.',
      { cause: error },
    );
  }
}

async function repositoryIn(rooms: OpenedRooms, directory: string): Promise<string> {
  const found = await discoverRepository(rooms.git, directory);
  if (found.kind === 'repository') return found.repository.id;
  throw new RemitError(found.code, found.reason);
}

function deskCall(signal: AbortSignal, roots: readonly string[] = []): CallContext {
  return { authority: async () => ({ roots: [...roots] }), signal, progress: { requested: true, report: () => {} } };
}
