import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A mark of one life of a process number, or `undefined` when no such process lives (a zombie does not). Numbers are used
 * again, the mark is not: it holds the start time and, on Linux, the boot. Opaque: compare it, nothing else.
 */
export function processStartTime(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return process.platform === 'linux' ? linuxStartTime(pid) : psStartTime(pid);
}

/** Whether the process that had this number at `startTime` still lives. */
export function isSameProcess(pid: number, startTime: string): boolean {
  return processStartTime(pid) === startTime;
}

/** proc_pid_stat(5): the state is field 3 and the start time field 22; the name (field 2) may hold anything, `)` too. */
function linuxStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    if (state === 'Z' || state === 'X') return undefined;
    return `${bootId()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

function psStartTime(pid: number): string | undefined {
  const answer = spawnSync('/bin/ps', ['-o', 'state=', '-o', 'lstart=', '-p', String(pid)], {
    env: { LC_ALL: 'C', TZ: 'UTC' },
    encoding: 'latin1',
    timeout: 5_000,
  });
  const match = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(answer.status === 0 ? answer.stdout : '');
  return match === null || match[1]?.startsWith('Z') ? undefined : match[2];
}
