/** The other processes of this machine, as Linux tells of them: proc_pid_cmdline(5), proc_pid_environ(5). A small system has no `ps`. */
import { readdirSync, readFileSync } from 'node:fs';

export interface HostProcess {
  readonly pid: number;
  readonly words: readonly string[];
  readonly commandLine: string;
  /** Empty for another user's. */
  readonly environment: string;
}

/** Those that live: one that has ended and was not waited for yet has no words. */
export function hostProcesses(): HostProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    const words = read(pid, 'cmdline').replace(/\0$/, '').split('\0');
    const commandLine = words.join(' ');
    return commandLine === '' ? [] : [{ pid: Number(pid), words, commandLine, environment: read(pid, 'environ') }];
  });
}

/** Those that name a folder in their arguments or environment. */
export function processesNaming(directory: string): HostProcess[] {
  return hostProcesses().filter(
    ({ commandLine, environment }) => commandLine.includes(directory) || environment.includes(directory),
  );
}

export function commandLines(processes: readonly HostProcess[] = hostProcesses()): string[] {
  return processes.map(({ commandLine }) => commandLine);
}

/** Empty when it has ended meanwhile. */
function read(pid: string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
