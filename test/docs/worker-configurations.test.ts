/** The configurations that docs/workers.md shows are taken by Remit as they stand, and mean the agent that they stand for. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { workerProgramPath } from '../../src/agent/index.ts';
import { loadConfiguration } from '../../src/app/configuration.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/workers.md', import.meta.url)), 'utf8');
const SHOWN = [...PAGE.matchAll(/### (.+)\n\n```json\n(.+)\n```/g)].map(
  ([, title = '', text = '']) => [title, text] as const,
);

const OWN_PROGRAM = [process.execPath, workerProgramPath()];

/** What the page's examples take from the environment; a model only where no entry has one, since it would come first. */
const KEYS = { HOST_API_KEY: 'k', OPENAI_API_KEY: 'k', DEEPSEEK_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };

test('every agent has one', () => {
  const families = PAGE.slice(PAGE.indexOf('<!-- generated: families -->'));
  expect(SHOWN.filter(([, text]) => families.includes(text))).toHaveLength([...families.matchAll(/^### /gm)].length);
  expect(SHOWN.length).toBeGreaterThanOrEqual(5);
});

test.each(SHOWN)('that of %s starts its program', (_title, text) => {
  const directory = mkdtempSync(join(tmpdir(), 'remit-shown-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const { worker, workers = {} } = JSON.parse(text);
  const { adapter, command } = workers[worker] ?? { adapter: 'builtin' };
  const model = workers[worker] === undefined ? { REMIT_MODEL: 'deepseek:deepseek-v4-flash' } : {};
  writeFileSync(join(directory, 'config.json'), text);
  if (command) writeFileSync(join(directory, command[0]), '', { mode: 0o755 });
  const configuration = loadConfiguration({
    flags: {},
    environment: { ...KEYS, ...model, REMIT_CONFIG: join(directory, 'config.json'), PATH: directory },
    homeDirectory: directory,
  });
  expect(configuration.selectWorker()).toMatchObject({
    kind: 'worker',
    worker: { adapter, command: command ? [join(directory, command[0]), ...command.slice(1)] : OWN_PROGRAM },
  });
});
