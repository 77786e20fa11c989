import { readFileSync } from 'node:fs';

/** How many processes the kernel has killed for want of memory since it started, in any control group; 0 where unknown. */
export function countMemoryKills(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
