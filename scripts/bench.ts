/**
 * Measures Remit beside its floor (what Git, Node and bubblewrap need alone) on this machine and in one run, on the built
 * command, and what the bundled worker sends to its model:
 * `node scripts/bench.ts [--only PART] [--files N] [--rounds N] [--json]`. Every number printed is made here and
 * now; a machine that does other work meanwhile shows in the distance between the fastest and the slowest round.
 */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureCommand } from './bench/command.ts';
import type { Measurement } from './bench/measure.ts';
import { measureStart } from './bench/start.ts';
import { printTable } from './bench/table.ts';
import { measureMemory, measureTasks } from './bench/tasks.ts';
import { measureWorker } from './bench/worker.ts';

const PARTS = ['start', 'command', 'tasks', 'memory', 'worker'] as const;
const FILES = [100, 10_000, 50_000];

type Part = (typeof PARTS)[number];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      files: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const parts = values.only?.map(readPart) ?? PARTS;
  const sizes = values.files?.map(readNumber) ?? FILES;
  const rounds = values.rounds === undefined ? undefined : readNumber(values.rounds);
  const machine = describeMachine();
  if (!values.json) console.log(`${machine}\n`);
  const measurements: Measurement[] = [];
  for (const part of parts) measurements.push(...(await measure(part, sizes, rounds, values.files !== undefined)));
  if (values.json) console.log(JSON.stringify({ machine, measurements }, null, 2));
  else printTable(measurements);
}

async function measure(
  part: Part,
  sizes: readonly number[],
  rounds: number | undefined,
  sizesGiven: boolean,
): Promise<Measurement[]> {
  switch (part) {
    case 'start':
      return sizesGiven ? [] : measureStart();
    case 'command':
      return sizesGiven ? [] : measureCommand();
    case 'worker':
      return sizesGiven ? [] : measureWorker();
    case 'memory':
      return sizes.includes(100) ? measureMemory() : [];
    case 'tasks': {
      const found: Measurement[] = [];
      for (const files of sizes) found.push(...(await measureTasks(files, rounds)));
      return found;
    }
  }
}

function describeMachine(): string {
  const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim();
  return `${cpus().length} processors, Node ${process.versions.node}, ${git}; medians`;
}

function readPart(text: string): Part {
  const part = PARTS.find((candidate) => candidate === text);
  if (part === undefined) throw new Error(`--only takes one of ${PARTS.join(', ')}, not ${text}`);
  return part;
}

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`a number from 1 to 999999 is needed, not ${text}`);
  return Number(text);
}

await main();
