/** What a program left behind: processes that name a test's folder in their arguments or environment. */
import { processesNaming } from '../../test/host-processes.ts';

const PATIENCE_MS = 15_000;

/** Waits for them to end by themselves; ends those that do not, by their ids, and answers their command lines. */
export async function endLeftRunning(directory: string): Promise<string[]> {
  const until = Date.now() + PATIENCE_MS;
  while (processesNaming(directory).length > 0 && Date.now() < until) await new Promise((done) => setTimeout(done, 50));
  return processesNaming(directory).map(({ pid, commandLine }) => {
    process.kill(pid, 'SIGKILL');
    return commandLine;
  });
}
