import { RemitError } from '../base/index.ts';
import type { TaskRecord } from '../task/index.ts';
import { type Grant, resolveAuthority } from './authority.ts';
import { CODEX_SANDBOX_KEY } from './codex-profile.ts';
import type { CallContext } from './operations.ts';
import { listRepositories } from './repository-choice.ts';
import type { HostRooms } from './rooms.ts';

/** What the caller may act on; `write` refuses a caller that may only read. */
export async function requireGrant(rooms: HostRooms, context: CallContext, need: 'read' | 'write'): Promise<Grant> {
  const authority = resolveAuthority({ ...(await context.authority()), launchRoots: rooms.configuration.roots });
  if (authority.kind === 'refused') throw new RemitError(authority.code, authority.reason);
  if (need === 'write' && !authority.writable) {
    throw new RemitError(
      'read_only_sandbox',
      'The client runs in a read-only sandbox: start it with write access to the repository, then try again.',
    );
  }
  return authority;
}

/** Control needs authority over the task's own repository. */
export async function requireControl(rooms: HostRooms, record: TaskRecord, context: CallContext): Promise<void> {
  const grant = await requireGrant(rooms, context, 'write');
  await requireRepository(rooms, record, grant);
}

/** Reading needs authority only where the client states any. */
export async function requireReading(rooms: HostRooms, record: TaskRecord, context: CallContext): Promise<void> {
  const facts = await context.authority();
  const states =
    facts.meta?.[CODEX_SANDBOX_KEY] !== undefined ||
    (facts.roots?.length ?? 0) > 0 ||
    rooms.configuration.roots.length > 0;
  if (!states) return;
  await requireRepository(rooms, record, await requireGrant(rooms, context, 'read'));
}

async function requireRepository(rooms: HostRooms, record: TaskRecord, grant: Grant): Promise<void> {
  const { root } = record.repository;
  // A folder below the root may be a repository of its own, so only the root itself goes without a look.
  if (grant.directories.includes(root)) return;
  const repositories = await listRepositories(rooms.git, grant.directories);
  if (repositories.some(({ repository }) => repository.id === record.repository.id)) return;
  throw new RemitError(
    'invalid_request',
    `Task ${record.task_id} belongs to a repository that this client has not opened: call from that repository.`,
  );
}
