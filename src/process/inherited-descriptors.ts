import { readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors (3 and up) that this process was itself started with and that every program it starts would find open: a
 * folder among them would lead out of any sandbox. Node marks its own close-on-exec; these come from whoever started us.
 * Linux only: elsewhere they cannot be listed, and the answer is none.
 */
export function inheritableDescriptors(): number[] {
  return INHERITED.filter(isInheritable);
}

/** What this process was started with is known when it starts; to look again at dozens of files each time costs much. */
const INHERITED: readonly number[] = listDescriptors().filter((fd) => fd > 2 && isInheritable(fd));

function listDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

/** proc_pid_fdinfo(5): `flags` is octal and holds O_CLOEXEC. */
function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // Closed in between: the one that listed the folder.
    return false;
  }
}
