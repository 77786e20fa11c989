/** What a program left behind: processes that name a test's folder in their arguments or environment. */
import { readdirSync, readFileSync } from 'node:fs';

const PATIENCE_MS = 15_000;

/** Waits for them to end by themselves; ends those that do not, by their ids, and answers their command lines. */
export async function endLeftRunning(directory: string): Promise<string[]> {
  const until = Date.now() + PATIENCE_MS;
  while (processesOf(directory).length > 0 && Date.now() < until) await new Promise((done) => setTimeout(done, 50));
  return processesOf(directory).map(({ id, commandLine }) => {
    process.kill(id, 'SIGKILL');
    return commandLine;
  });
}

function processesOf(directory: string): { id: number; commandLine: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({ id: Number(name), commandLine: read(name, 'cmdline'), environment: read(name, 'environ') }))
    .filter(({ commandLine, environment }) => commandLine.includes(directory) || environment.includes(directory));
}

/** Empty for a process that has ended or is another user's. */
function read(id: string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
