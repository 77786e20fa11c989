import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OUTSIDE, PURE_BUILTINS, ROOMS, type Room } from './rooms.ts';
import { allImports, type Import, importsOf, isTestFile, roomOf, SOURCE, sourceFiles } from './source-imports.ts';

const rooms = new Map(ROOMS.map((room) => [room.name, room]));

/** Why an import breaks the table, or nothing. */
function breach({ file, target }: Import): string | undefined {
  if (target === undefined) return undefined;
  const [from, to] = [roomOf(file), roomOf(target)];
  if (target.startsWith('..')) return isTestFile(file) || OUTSIDE.includes(target) ? undefined : 'leaves src/';
  if (from === to) return isTestFile(target) && !isTestFile(file) ? 'product code that needs a test file' : undefined;
  if (target !== `${to}/index.ts`) return `goes behind the door of ${to}`;
  if (!rooms.get(from)?.mayEnter.includes(to)) return `${to} does not stand below ${from}`;
  return undefined;
}

const shown = ({ file, specifier }: Import) => `${file} imports ${specifier}`;

describe('the rooms of src/', () => {
  test('are the ones of the table, and nothing lies between them', () => {
    const found = readdirSync(SOURCE, { withFileTypes: true });
    expect(found.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
    expect(found.map(({ name }) => name).filter((name) => !rooms.has(name))).toEqual([]);
  });

  test('enter only rooms that stand below them, and only by the door', () => {
    const breaches = allImports().flatMap((found) => {
      const why = breach(found);
      return why === undefined ? [] : [`${shown(found)}: ${why}`];
    });
    expect(breaches).toEqual([]);
  });

  test('have a door that opens with what the room is for', () => {
    const doors = sourceFiles().filter((file) => /^[^/]+\/index\.ts$/.test(file));
    const silent = doors.filter((file) => !readFileSync(join(SOURCE, file), 'utf8').startsWith('/**'));
    expect(silent).toEqual([]);
    const withFiles = new Set(sourceFiles().map(roomOf));
    expect([...withFiles].filter((room) => !doors.includes(`${room}/index.ts`) && room !== 'cli')).toEqual([]);
  });

  test('that are pure use nothing of Node that could read or change the world', () => {
    const impure = allImports().filter(
      ({ file, specifier }) =>
        rooms.get(roomOf(file))?.pure &&
        !isTestFile(file) &&
        specifier.startsWith('node:') &&
        !PURE_BUILTINS.includes(specifier),
    );
    expect(impure.map(shown)).toEqual([]);
  });

  test('never stand in a ring', () => {
    const reaches = (from: Room, to: string): boolean =>
      from.mayEnter.some((name) => name === to || reaches(rooms.get(name) as Room, to));
    expect(ROOMS.filter((room) => reaches(room, room.name))).toEqual([]);
  });
});

test.each([
  ['task/tasks.ts', '../git/run-git.ts', 'goes behind the door of git'],
  ['git/index.ts', '../sandbox/index.ts', 'sandbox does not stand below git'],
  ['task/tasks.ts', '../review/index.ts', 'review does not stand below task'],
  ['agent/loop.ts', '../store/index.ts', 'store does not stand below agent'],
  ['git/run-git.ts', '../../test/agents/script.ts', 'leaves src/'],
  ['git/run-git.ts', './git.test.ts', 'product code that needs a test file'],
  ['review/finalize.ts', '../task/index.ts', undefined],
  ['git/git.test.ts', '../../test/agents/script.ts', undefined],
])('%s importing %s is judged: %s', (file, specifier, expected) => {
  const [found] = importsOf(file, `import type { A } from '${specifier}';`);
  expect(found && breach(found)).toBe(expected);
});
