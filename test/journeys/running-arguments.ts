import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The command lines of all processes of this machine. A small system has no `ps`, so Linux is asked itself. */
export function runningArguments(): string[] {
  if (!existsSync('/proc/self/cmdline')) return execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(argumentsOf);
}

function argumentsOf(pid: string): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()];
  } catch {
    // It ended while we looked.
    return [];
  }
}
