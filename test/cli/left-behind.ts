import { readdirSync, readFileSync } from 'node:fs';

/** Command lines of the processes that name a folder in their arguments or environment, this one left out. */
export function leftBehind(directory: string): string[] {
  return readdirSync('/proc').flatMap((id) => {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) return [];
    const [commandLine, environment] = [read(id, 'cmdline'), read(id, 'environ')];
    return commandLine.includes(directory) || environment.includes(directory) ? [commandLine] : [];
  });
}

/** Empty for a process that has ended or is another user's. */
function read(id: string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
