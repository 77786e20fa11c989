import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSession } from './test-session.ts';

const HUGE = Array.from({ length: 30_000 }, (_, at) => `line ${at + 1} ${'x'.repeat(40)}\n`).join('');

describe('read_file', () => {
  test('shows numbered lines and observes which', async () => {
    const { call, ledger } = openSession({ a: 'one\ntwo\nthree\n' });
    expect((await call('read_file', { path: './a' })).text).toBe('1\tone\n2\ttwo\n3\tthree\n[3 lines]');
    expect((await call('read_file', { path: 'a', from: 2, to: 2 })).text).toBe(
      '2\ttwo\n[3 lines; read on with from 3]',
    );
    expect(ledger).toMatchObject([
      { kind: 'read', path: 'a', ranges: [{ from: 1, to: 3 }], total_lines: 3 },
      { kind: 'read', path: 'a', ranges: [{ from: 2, to: 2 }], total_lines: 3 },
    ]);
  });

  test('says how a file is kept on disk', async () => {
    const { call } = openSession({ a: '\ufeffone\r\ntwo', empty: '' });
    expect((await call('read_file', { path: 'a' })).text).toBe(
      '1\tone\n2\ttwo\n[2 lines, CRLF line breaks, byte order mark, no line break at the end]',
    );
    expect((await call('read_file', { path: 'empty' })).text).toBe('[the file is empty]');
  });

  test('shows of a huge file what fits, counts only that as read, and says how to get the rest', async () => {
    const { call, ledger } = openSession({ huge: HUGE });
    const { text } = await call('read_file', { path: 'huge' });
    expect(Buffer.byteLength(text)).toBeLessThan(33_000);
    const [, next = ''] = /read on with from (\d+)\]$/.exec(text) ?? [];
    expect(ledger).toMatchObject([{ ranges: [{ from: 1, to: Number(next) - 1 }], total_lines: 30_000 }]);
    expect((await call('read_file', { path: 'huge', from: Number(next) })).text).toMatch(
      new RegExp(`^${next}\\tline ${next} `),
    );
  });

  test('does not count a line as read that is too long to show', async () => {
    const { call, ledger } = openSession({ long: `${'x'.repeat(50_000)}\nshort\n` });
    expect((await call('read_file', { path: 'long' })).text).toContain('line 1 alone is longer');
    expect((await call('read_file', { path: 'long', from: 2 })).text).toContain('2\tshort');
    expect(ledger).toMatchObject([{ ranges: [] }, { ranges: [{ from: 2, to: 2 }] }]);
  });

  test.each([
    ['binary', 'bin', 'is binary'],
    ['absent', 'nothing', 'does not exist'],
    ['a folder', 'folder', 'is a folder'],
    ['outside', '../a', 'contains ..'],
    ['behind a link', 'link/passwd', 'lies behind link, which is a link to /etc'],
  ])('refuses what is %s with a sentence', async (_, path, message) => {
    const { call, root, ledger } = openSession({ bin: Buffer.from([0, 1, 2]) });
    mkdirSync(join(root, 'folder'));
    symlinkSync('/etc', join(root, 'link'));
    expect(await call('read_file', { path })).toMatchObject({ isError: true, text: expect.stringContaining(message) });
    expect(ledger).toEqual([]);
  });
});

describe('a change', () => {
  test.each([
    ['edit_file', { path: 'a', old_string: 'one', new_string: '1' }],
    ['multi_edit', { path: 'a', edits: [{ old_string: 'one', new_string: '1' }] }],
    ['write_file', { path: 'a', content: '1\n' }],
    ['delete_range', { path: 'a', from: 1, to: 1 }],
  ])('by %s is refused for a file that was not read, or is not what was read', async (name, input) => {
    const { call, root } = openSession({ a: 'one\ntwo\n' });
    expect(await call(name, input)).toMatchObject({ isError: true, text: expect.stringContaining('was not read') });
    await call('read_file', { path: 'a' });
    writeFileSync(join(root, 'a'), 'one\nsomebody else\n');
    expect(await call(name, input)).toMatchObject({
      isError: true,
      text: expect.stringContaining('has changed since'),
    });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('one\nsomebody else\n');
    await call('read_file', { path: 'a' });
    expect(await call(name, input)).not.toHaveProperty('isError');
    // What the session itself wrote it knows.
    expect(await call('write_file', { path: 'a', content: 'last\n' })).not.toHaveProperty('isError');
  });

  test('keeps line breaks, byte order mark and mode, and edited back is the same file', async () => {
    const word = fc.stringMatching(/^[a-z ]{0,6}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 6 }),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(0o644, 0o755, 0o600),
        async (around, inserted, lineBreak, mark, ends, mode) => {
          const text = [...around, 'UNIQUE', ...around].join(lineBreak) + (ends ? lineBreak : '');
          const original = `${mark ? '\ufeff' : ''}${text}`;
          const { call, root } = openSession({ a: original });
          chmodSync(join(root, 'a'), mode);
          await call('read_file', { path: 'a' });
          const new_string = `NEW\n${inserted.join('\n')}\nEND`;
          await call('edit_file', { path: 'a', old_string: 'UNIQUE', new_string });
          expect(readFileSync(join(root, 'a'), 'utf8')).toBe(
            original.replace('UNIQUE', new_string.replaceAll('\n', around.length === 0 && !ends ? '\n' : lineBreak)),
          );
          await call('edit_file', { path: 'a', old_string: new_string, new_string: 'UNIQUE' });
          expect(readFileSync(join(root, 'a'), 'utf8')).toBe(original);
          expect(statSync(join(root, 'a')).mode & 0o777).toBe(mode);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('observes the changed lines of the new content and what they touch', async () => {
    const { call, ledger } = openSession({ 'src/a.ts': '1\n2\n3\n4\n5\n' });
    await call('read_file', { path: 'src/a.ts' });
    await call('multi_edit', {
      path: 'src/a.ts',
      edits: [
        { old_string: '1\n', new_string: 'login()\n' },
        { old_string: '5', new_string: 'five\nsix' },
      ],
    });
    expect(ledger[1]).toMatchObject({
      kind: 'write',
      path: 'src/a.ts',
      change: 'modified',
      changed: [
        { from: 1, to: 1 },
        { from: 5, to: 6 },
      ],
      total_lines: 6,
      security: ['authentication'],
    });
  });
});

describe('edit_file', () => {
  test('says how often and where a text is found that is not unique, and changes nothing', async () => {
    const { call, root } = openSession({ a: 'x\ny\nx\n' });
    await call('read_file', { path: 'a' });
    expect((await call('edit_file', { path: 'a', old_string: 'x', new_string: 'z' })).text).toContain(
      'found 2 times in a, at lines 1, 3',
    );
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('x\ny\nx\n');
    expect(
      await call('edit_file', { path: 'a', old_string: 'x', new_string: 'z', replace_all: true }),
    ).not.toHaveProperty('isError');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('z\ny\nz\n');
  });

  test('says so when a text is not found or nothing would change', async () => {
    const { call } = openSession({ a: '\tx\n' });
    await call('read_file', { path: 'a' });
    expect((await call('edit_file', { path: 'a', old_string: '  x\n', new_string: '' })).text).toContain(
      'at line 1 with other white space',
    );
    expect((await call('edit_file', { path: 'a', old_string: 'x', new_string: 'x' })).text).toContain(
      'was not changed',
    );
  });

  test('does not write half a character', async () => {
    const { call, root } = openSession({ a: 'x' });
    await call('read_file', { path: 'a' });
    expect(await call('edit_file', { path: 'a', old_string: 'x', new_string: '\ud83d' })).toMatchObject({
      isError: true,
    });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('x');
  });
});

describe('multi_edit', () => {
  test('makes all edits or none, and names the one that does not fit', async () => {
    const { call, root, ledger } = openSession({ a: 'one\ntwo\n' });
    await call('read_file', { path: 'a' });
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: 'three', new_string: '3' },
    ];
    expect((await call('multi_edit', { path: 'a', edits })).text).toMatch(/^edits\[1\]\.old_string: not found/);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('one\ntwo\n');
    expect(ledger.length).toBe(1);
  });
});

describe('write_file', () => {
  test('makes a new file as it is told, with its folders', async () => {
    const { call, root, ledger } = openSession();
    await call('write_file', { path: 'deep/er/a', content: '\ufeffone\r\n' });
    expect(readFileSync(join(root, 'deep/er/a'), 'utf8')).toBe('\ufeffone\r\n');
    expect(ledger).toMatchObject([{ kind: 'write', change: 'created', changed: [{ from: 1, to: 1 }], total_lines: 1 }]);
  });

  test('keeps the manner of a file that it replaces', async () => {
    const { call, root } = openSession({ a: '\ufeffone\r\ntwo\r\n' });
    await call('read_file', { path: 'a' });
    await call('write_file', { path: 'a', content: '1\n2\n3\n' });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('\ufeff1\r\n2\r\n3\r\n');
  });

  test('does not replace what is no text', async () => {
    const { call, root } = openSession({ a: Buffer.from([0, 1]) });
    expect(await call('write_file', { path: 'a', content: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('binary'),
    });
    expect(readFileSync(join(root, 'a'))).toEqual(Buffer.from([0, 1]));
  });
});

describe('delete_range', () => {
  test.each([
    ['a\nb\nc\n', 1, 1, 'b\nc\n'],
    ['a\nb\nc', 3, 3, 'a\nb'],
    ['a\r\nb\r\nc', 2, 3, 'a'],
    ['a\nb\n', 1, 2, ''],
  ])('of %j takes out lines %i to %i and keeps how the text ends', async (before, from, to, after) => {
    const { call, root } = openSession({ a: before });
    await call('read_file', { path: 'a' });
    await call('delete_range', { path: 'a', from, to });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe(after);
  });

  test('refuses lines that are not there', async () => {
    const { call } = openSession({ a: 'a\n' });
    await call('read_file', { path: 'a' });
    expect((await call('delete_range', { path: 'a', from: 1, to: 2 })).text).toContain('has only 1 lines');
    expect((await call('delete_range', { path: 'a', from: 2, to: 1 })).text).toContain('stands before from');
  });
});

describe('move_file and delete_file', () => {
  test('observe a move as a deletion and a creation', async () => {
    const { call, root, ledger } = openSession({ a: 'one\n', b: '' });
    expect((await call('move_file', { from: 'a', to: 'b' })).text).toContain('exists already');
    await call('move_file', { from: 'a', to: 'c/d' });
    expect(readFileSync(join(root, 'c/d'), 'utf8')).toBe('one\n');
    expect(ledger).toMatchObject([
      { kind: 'write', path: 'a', change: 'deleted', changed: [], total_lines: 0 },
      { kind: 'write', path: 'c/d', change: 'created', changed: [{ from: 1, to: 1 }], total_lines: 1, moved_from: 'a' },
    ]);
  });

  test('take any kind of file, but none that changed since it was read', async () => {
    const { call, root, ledger } = openSession({ bin: Buffer.from([0, 1]), a: 'login()\n' });
    await call('delete_file', { path: 'bin' });
    await call('read_file', { path: 'a' });
    writeFileSync(join(root, 'a'), 'other\n');
    expect((await call('delete_file', { path: 'a' })).text).toContain('has changed since');
    expect((await call('move_file', { from: 'a', to: 'b' })).text).toContain('has changed since');
    expect(existsSync(join(root, 'bin'))).toBe(false);
    expect(ledger.map(({ kind }) => kind)).toEqual(['write', 'read']);
    expect((await call('delete_file', { path: 'nothing' })).text).toContain('does not exist');
  });

  test('let a deleted file be made again', async () => {
    const { call, root } = openSession({ a: 'one\n' });
    await call('delete_file', { path: 'a' });
    expect(await call('write_file', { path: 'a', content: 'two\n' })).not.toHaveProperty('isError');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('two\n');
  });
});
