import type { BoxPlan } from './box-plan.ts';
import type { Mount } from './mounts.ts';

/** Numbers of the descriptors that the launcher finds open. */
export const ARGUMENTS_FD = 3;
export const SECCOMP_FD = 4;
export const STATUS_FD = 5;
/** Of a long-lived program. One digit, since a shell redirects no other. */
export const OUTPUT_FD = 6;
const FIRST_EMPTY_FILE_FD = 7;

const SHARED_MEMORY_BYTES = 512 * 1024 * 1024;
/** One page: room for nothing. */
const HIDDEN_BYTES = 4096;

export interface CompiledBox {
  /** bubblewrap's options, for `--args`: no path of a task is then readable in anybody's process list. */
  readonly options: readonly string[];
  /** Descriptors that must be open on an empty file, one for each hidden file. */
  readonly emptyFiles: readonly number[];
}

/**
 * A plan as bubblewrap's options; pure. What is bounded: the folders in memory. What is not: memory, processor time and
 * the number of processes, for which only a delegated control group helps, and the disk below a writable folder.
 */
export function compileBubblewrap(plan: BoxPlan): CompiledBox {
  const emptyFiles: number[] = [];
  const nextEmptyFile = () => {
    const fd = FIRST_EMPTY_FILE_FD + emptyFiles.length;
    emptyFiles.push(fd);
    return String(fd);
  };
  const options = [
    ...isolation(plan),
    ...['--ro-bind', '/', '/'],
    ...ownDevices(),
    ...ownProcesses(plan),
    ...plan.mounts.flatMap((mount) => mountOptions(mount, nextEmptyFile)),
    ...(plan.home.kind === 'private' ? ['--perms', '0700', '--dir', plan.home.path] : []),
    // Last: until then bubblewrap itself makes mount points in them.
    ...plan.mounts.flatMap((mount) => (mount.kind === 'hidden_directory' ? ['--remount-ro', mount.path] : [])),
    ...surroundings(plan),
  ];
  return { options, emptyFiles };
}

function isolation(plan: BoxPlan): string[] {
  return [
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(plan.network === 'none' ? ['--unshare-net'] : []),
    // Root keeps every capability inside, and could remount the host's disk writable, unless they are dropped.
    ...(plan.asRoot ? ['--uid', '1000', '--gid', '1000'] : []),
    ...['--cap-drop', 'ALL', '--hostname', 'remit', '--new-session', '--die-with-parent'],
    ...['--seccomp', String(SECCOMP_FD)],
  ];
}

function ownDevices(): string[] {
  const sharedMemory = ['--perms', '1777', '--size', String(SHARED_MEMORY_BYTES), '--tmpfs', '/dev/shm'];
  return ['--dev', '/dev', ...sharedMemory, '--remount-ro', '/dev'];
}

function ownProcesses(plan: BoxPlan): string[] {
  const covered = plan.asRoot ? plan.protectedProc : [];
  return ['--proc', '/proc', ...covered.flatMap((path) => ['--ro-bind', path, path])];
}

function mountOptions(mount: Mount, nextEmptyFile: () => string): string[] {
  switch (mount.kind) {
    case 'scratch':
      return ['--perms', '1777', '--size', String(mount.sizeBytes), '--tmpfs', mount.path];
    case 'writable':
      return ['--bind', mount.path, mount.path];
    case 'read_only':
      return ['--ro-bind', mount.path, mount.path];
    case 'hidden_directory':
      return ['--perms', '0555', '--size', String(HIDDEN_BYTES), '--tmpfs', mount.path];
    case 'hidden_file':
      return ['--perms', '0444', '--ro-bind-data', nextEmptyFile(), mount.path];
  }
}

/** The environment goes in here and not to the launcher: /proc/1/environ shows what the launcher was started with. */
function surroundings(plan: BoxPlan): string[] {
  const variables = Object.entries(plan.environment).flatMap(([name, value]) => ['--setenv', name, value]);
  return ['--clearenv', ...variables, '--chdir', plan.cwd];
}
