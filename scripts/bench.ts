/**
 * Measures, on this machine and in one run: the start of the command, and the floor that Git itself sets for what a
 * delegation does. Every number printed is the median of runs made here and now.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const REMIT = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin/remit');
const ROUNDS = 15;
const FILES = 100;

function main(): void {
  const directory = mkdtempSync(join(tmpdir(), 'remit-bench-'));
  try {
    const environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: directory,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
    };
    console.log(
      `${cpus().length} processors, Node ${process.versions.node}, ${gitVersion(environment)}; medians of ${ROUNDS} runs\n`,
    );
    report('start: node -e 0', () => run(environment, directory, process.execPath, '-e', '0'));
    report('start: remit version', () => run(environment, directory, REMIT, 'version'));
    const repository = makeRepository(directory, environment);
    let worktrees = 0;
    report(`floor: git worktree add, ${FILES} files`, () => {
      worktrees += 1;
      const path = join(directory, `worktree-${worktrees}`);
      run(
        environment,
        repository,
        'git',
        'worktree',
        'add',
        '--quiet',
        '--no-track',
        '-b',
        `floor-${worktrees}`,
        path,
        'main',
      );
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function report(title: string, work: () => void): void {
  work(); // the first run fills caches and is not counted
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const [fastest, median, slowest] = [times[0], times[ROUNDS >> 1], times.at(-1)].map((ms = 0) => ms.toFixed(1));
  console.log(`${title.padEnd(40)} ${median?.padStart(8)} ms   (${fastest} to ${slowest})`);
}

function makeRepository(directory: string, environment: Record<string, string>): string {
  const repository = join(directory, 'repository');
  mkdirSync(repository);
  for (let file = 0; file < FILES; file += 1)
    writeFileSync(join(repository, `file-${file}.txt`), `${file}\n`.repeat(50));
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.test'];
  run(environment, repository, 'git', 'init', '--quiet', '--initial-branch=main');
  run(environment, repository, 'git', 'add', '.');
  run(environment, repository, 'git', ...identity, 'commit', '--quiet', '--message=Base');
  return repository;
}

function gitVersion(environment: Record<string, string>): string {
  return execFileSync('git', ['--version'], { env: environment, encoding: 'utf8' }).trim();
}

function run(environment: Record<string, string>, cwd: string, command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd, env: environment, stdio: 'pipe', timeout: 60_000 });
}

main();
