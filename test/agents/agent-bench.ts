/** A worktree, a private home and an unconfined launch for a scripted agent, so that a room can be tried against it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentScript, scriptedAgentCommand, writeScript } from './script.ts';

export interface AgentBench extends Disposable {
  readonly directory: string;
  readonly worktree: string;
  readonly home: string;
  /** Writes the script and answers the agent's argv. */
  command(script: AgentScript): string[];
  /** A file of the worktree, or `undefined`. */
  file(path: string): string | undefined;
  /** What the agent keeps of itself, see `script.ts`. */
  memory(name: string): string | undefined;
}

/** `files` stand in the worktree at the beginning; `a.txt` and `src/x.ts` always do. */
export function openAgentBench(files: Readonly<Record<string, string>> = {}): AgentBench {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'remit-agent-')));
  const worktree = join(directory, 'worktree');
  const home = join(directory, 'home');
  mkdirSync(home);
  for (const [path, content] of Object.entries({ 'a.txt': 'a\n', 'src/x.ts': 'export const x = 1;\n', ...files })) {
    mkdirSync(dirname(join(worktree, path)), { recursive: true });
    writeFileSync(join(worktree, path), content);
  }
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  };
  return {
    directory,
    worktree,
    home,
    command: (script) => scriptedAgentCommand(writeScript(directory, script)),
    file: (path) => read(join(worktree, path)),
    memory: (name) => read(join(home, '.scripted-agent', name)),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
