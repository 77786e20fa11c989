/** A temporary place for one measurement: a repository of so many small files, a home, a state directory, the agent. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REMIT = fileURLToPath(new URL('../../bin/remit', import.meta.url));
export const CHANGED_FILE = 'src/area-0/file-0.txt';

const AGENT = fileURLToPath(new URL('./agent.mjs', import.meta.url));
/** Folders as deep and as full as those of a grown project. */
const FILES_IN_FOLDER = 12;
const FOLDERS_IN_MODULE = 8;
const MODULES_IN_AREA = 10;

export class Place {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'remit-bench-')));
  readonly repository = join(this.directory, 'project');
  readonly state = join(this.directory, 'state');
  readonly environment: Record<string, string>;

  constructor(files: number) {
    const home = join(this.directory, 'home');
    const configuration = join(this.directory, 'config.json');
    for (const folder of [home, this.repository]) mkdirSync(folder);
    mkdirSync(this.state, { mode: 0o700 });
    this.environment = { PATH: process.env['PATH'] ?? '', HOME: home, REMIT_CONFIG: configuration };
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Bench\n\temail = bench@example.test\n');
    const worker = { adapter: 'acp', command: [process.execPath, AGENT], egress: ['127.0.0.1:9'] };
    writeFileSync(configuration, JSON.stringify({ stateDir: this.state, worker: 'bench', workers: { bench: worker } }));
    this.#fill(files);
  }

  git(...args: string[]): string {
    return this.run('git', args);
  }

  run(command: string, args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}): string {
    const { cwd = this.repository, env = {} } = options;
    const settings = { cwd, env: { ...this.environment, ...env }, encoding: 'utf8', timeout: 120_000 } as const;
    return execFileSync(command, args, { ...settings, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  #fill(files: number): void {
    this.git('init', '--quiet', '--initial-branch=main');
    const made = new Set<string>();
    for (let file = 0; file < files; file += 1) {
      const path = join(this.repository, pathOf(file));
      if (!made.has(dirname(path))) mkdirSync(dirname(path), { recursive: true });
      made.add(dirname(path));
      writeFileSync(path, `${file}: a line as long as lines of source text usually are\n`.repeat(1 + (file % 40)));
    }
    this.git('add', '.');
    this.git('commit', '--quiet', '--message=Base');
  }
}

function pathOf(file: number): string {
  const folder = Math.floor(file / FILES_IN_FOLDER);
  const module = Math.floor(folder / FOLDERS_IN_MODULE);
  const area = Math.floor(module / MODULES_IN_AREA);
  const above = file < FILES_IN_FOLDER ? '' : `module-${module % MODULES_IN_AREA}/part-${folder % FOLDERS_IN_MODULE}/`;
  return `src/area-${area}/${above}file-${file % FILES_IN_FOLDER}.txt`;
}
