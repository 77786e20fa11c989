/** Signals to a whole process group, and how one is ended. */

/** After SIGKILL a process can stay in the kernel (a dead network disk): wait this long, then stop waiting. */
const KILL_WAIT_MS = 5_000;

/** Sends a signal to every member of the group that `leader` leads. No such group is fine. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  // kill(0) and kill(-1) mean our own group and everybody.
  if (leader <= 1) return;
  try {
    process.kill(-leader, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // EPERM: macOS says so of a group of zombies; on Linux of members that changed their user, out of our reach.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** SIGTERM, `graceMs`, SIGKILL. Resolves when the leader has exited, or when even SIGKILL did not help within 5 s. */
export async function endGroup(leader: number, exited: Promise<unknown>, graceMs: number): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  if (await settlesWithin(exited, graceMs)) return;
  signalGroup(leader, 'SIGKILL');
  await settlesWithin(exited, KILL_WAIT_MS);
}

async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = promise.then(() => true);
  try {
    return await Promise.race([settled, expired]);
  } finally {
    clearTimeout(timer);
  }
}
