import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newErrorId, openLogFile } from './log-file.ts';

let state: string;
let logs: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'remit-log-'));
  logs = join(state, 'logs');
});

afterEach(() => rmSync(state, { recursive: true, force: true }));

const files = () => readdirSync(logs).sort();
const todaysFile = () => join(logs, `remit-${new Date().toISOString().slice(0, 10)}.log`);
const lines = () =>
  files().flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  );

describe('the log', () => {
  test('holds one JSON object a line, readable by its owner only', () => {
    const log = openLogFile(state, 'info');
    log('info', 'started\nwell', { task_id: 'T-1' });
    log('error', 'broke', { error: new TypeError('x', { cause: new Error('y') }) });
    const [first, second] = lines();
    expect(first).toMatchObject({
      level: 'info',
      pid: process.pid,
      message: 'started\nwell',
      facts: { task_id: 'T-1' },
    });
    expect(first.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(second.facts.error).toMatchObject({ name: 'TypeError', message: 'x', cause: { message: 'y' } });
    expect(files()[0]).toMatch(/^remit-\d{4}-\d\d-\d\d\.log$/);
    expect(statSync(join(logs, files()[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  test('leaves out what is below its level', () => {
    const log = openLogFile(state, 'warn');
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log(level, level);
    expect(lines().map(({ level }) => level)).toEqual(['warn', 'error']);
  });

  test('holds no credentials, by their shape, their label or their key', () => {
    openLogFile(state, 'info')('info', 'sent Bearer ghp_0123456789abcdefghij0123456789', {
      argv: ['--api-key=abcdef123456'],
      deep: { apiKey: 'plain-value-1', token: 'plain-value-2' },
    });
    expect(JSON.stringify(lines())).not.toMatch(/ghp_0|abcdef123456|plain-value/);
  });

  test('survives facts that no JSON can hold and lines that are too long', () => {
    const log = openLogFile(state, 'info');
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    log('info', 'circle', circle);
    log('info', 'long', { text: 'x'.repeat(100_000) });
    log('info', 'many', { texts: Array.from({ length: 50_000 }, () => 'x') });
    log('info', 'y'.repeat(100_000));
    const [first, second, third, fourth] = lines();
    expect(first.facts).toBe('unprintable');
    expect([second.facts.text.length, fourth.message.length]).toEqual([4096, 4096]);
    expect(third).toMatchObject({ message: 'many', truncated: true });
  });

  test('never breaks its host', () => {
    writeFileSync(logs, 'a file where the folder should be');
    expect(() => openLogFile(state, 'info')('error', 'lost')).not.toThrow();
  });

  test('does not follow a link that stands in its place', () => {
    const elsewhere = join(state, 'elsewhere');
    writeFileSync(elsewhere, '');
    mkdirSync(logs);
    symlinkSync(elsewhere, todaysFile());
    openLogFile(state, 'info')('info', 'secret plans');
    expect(readFileSync(elsewhere, 'utf8')).toBe('');
  });

  test('is set aside when it grows too large, and only the newest files are kept', () => {
    mkdirSync(logs);
    for (let day = 1; day <= 28; day += 1)
      writeFileSync(join(logs, `remit-2020-01-${String(day).padStart(2, '0')}.log`), '{}\n');
    writeFileSync(join(logs, 'notes.txt'), 'mine');
    const log = openLogFile(state, 'info');
    expect(files().filter((name) => name.startsWith('remit-2020')).length).toBe(20);
    expect(files()).toContain('notes.txt');
    writeFileSync(todaysFile(), 'x'.repeat(10 * 1024 * 1024));
    log('info', 'fresh');
    expect(files().some((name) => name.endsWith('.log.1'))).toBe(true);
    expect(statSync(todaysFile()).size).toBeLessThan(1000);
  });

  test('names an error so that it can be found', () => {
    expect(newErrorId()).toMatch(/^E-[0-9a-f]{12}$/);
    expect(newErrorId()).not.toBe(newErrorId());
  });
});
