import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfigFile, replaceConfigFile } from './config-file.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remit-config-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  ['changed', 'first'],
  ['made', undefined],
])('a file that another program %s meanwhile is left as that program wrote it', (_how, before) => {
  const folder = makeFolder();
  const path = join(folder, 'settings.json');
  if (before !== undefined) writeFileSync(path, before);
  const file = readConfigFile(path);
  writeFileSync(path, 'theirs');
  expect(() => replaceConfigFile(file, 'ours')).toThrow('was changed by another program meanwhile');
  expect(readFileSync(path, 'utf8')).toBe('theirs');
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test('a file that another program removed meanwhile is not made anew', () => {
  const folder = makeFolder();
  const path = join(folder, 'settings.json');
  writeFileSync(path, 'first');
  const file = readConfigFile(path);
  rmSync(path);
  expect(() => replaceConfigFile(file, 'ours')).toThrow('was changed by another program meanwhile');
  expect(readdirSync(folder)).toEqual([]);
});

test('a new text comes as another file, so that no reader sees half of it, and every byte of it arrives', () => {
  const path = join(makeFolder(), 'settings.json');
  const before = '\ufeff{"name": "ü\r\n"}';
  writeFileSync(path, before);
  const { ino } = statSync(path);
  const file = readConfigFile(path);
  expect(file.text).toBe(before);
  replaceConfigFile(file, `${before}\n`);
  expect(readFileSync(path, 'utf8')).toBe(`${before}\n`);
  expect(statSync(path).ino).not.toBe(ino);
});
