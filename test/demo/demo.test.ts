import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

// Needs the built command and the agents of interop/, as `make test` prepares them.
const WORKERS = [
  ['the bundled worker', 'builtin'],
  ['a real Reasonix', 'reasonix'],
] as const;
test.each(WORKERS)(
  'the demo takes a task of %s from delegation to one commit',
  { timeout: 300_000 },
  async (_, worker) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.ts'], {
      cwd: ROOT,
      env: { ...process.env, WORKER: worker },
      timeout: 290_000,
    });
    const ownReview = /^its review {3}pass, 1 finding$[\s\S]*^seen {8}src\/slug\.js, receipts \d/m;
    if (worker === 'builtin') expect(stdout).toMatch(ownReview);
    expect(stdout).toContain('SCRIPTED   the model');
    expect(stdout).toMatch(/^files {7}src\/slug\.js test\/slug\.test\.js$/m);
    expect(stdout).toMatch(/^verification {2}unit: node --test test\/slug\.test\.js → exit 0/m);
    expect(stdout).toMatch(
      /Remit-Task: fix-slug[\s\S]*Remit-Contract: sha256:[0-9a-f]{64}[\s\S]*Remit-Evidence: sha256:[0-9a-f]{64}/,
    );
    expect(stdout).toContain('files, index, HEAD, branch and configuration are as they were');
  },
);
