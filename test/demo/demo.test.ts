import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

// Needs the built command and the agents of interop/, as `make test` prepares them.
test('the demo takes a task of a real Reasonix from delegation to one commit', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.ts'], { cwd: ROOT, timeout: 290_000 });
  expect(stdout).toContain('SCRIPTED   the model');
  expect(stdout).toMatch(/^files {7}src\/slug\.js test\/slug\.test\.js$/m);
  expect(stdout).toMatch(/^verification {2}unit: node --test test\/slug\.test\.js → exit 0/m);
  expect(stdout).toMatch(
    /Remit-Task: fix-slug[\s\S]*Remit-Contract: sha256:[0-9a-f]{64}[\s\S]*Remit-Evidence: sha256:[0-9a-f]{64}/,
  );
  expect(stdout).toContain('files, index, HEAD, branch and configuration are as they were');
});
