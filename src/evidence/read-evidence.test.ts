import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changesOf, fileRewritten, isKnown, judgeReviewReport, type Observation } from './index.ts';
import type { CommandObservation } from './observation.ts';
import { created, deleted, gitDeletion, gitDiff, numbered, ran, read, report, wrote } from './test-fixture.ts';

const P = 'src/a.go';
const WORKTREE = '/work/tree';

/** Whether a review of `path` is accepted after these. */
function counts(ledger: readonly Observation[], paths = [P]): boolean {
  return judgeReviewReport(report(paths), ledger, WORKTREE).kind === 'accepted';
}

/** Lines 3 to 5 of ten were changed before. */
const after = (...seen: Observation[]) => [wrote(P, '3-5'), ...seen];
const whole = numbered(10);
/** Three lines, the last without a break and in no encoding. */
const NO_TEXT = Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0xff]);
const HUNK_NAME = 'x\n1,9c1,9\nz';
const CMP_NAME = 'x differ: byte 1, line 4';

const SEEN: [string, Observation[]][] = [
  ['a read of the whole file', after(read(P, '1-10'))],
  ['a read of exactly the changed lines', after(read(P, '3-5'))],
  ['partial reads that together cover the changed lines', after(read(P, '1-3'), read(P, '4'), read(P, '5-9'))],
  ['a read and a command that together cover them', after(read(P, '4-5'), ran(`head -n 3 ${P}`, numbered(3)))],
  ['cat', after(ran(`cat ${P}`, whole))],
  ['the system’s cat by its path', after(ran(`/usr/bin/cat ${P}`, whole))],
  ['cat -A', after(ran(`cat -A ${P}`, whole))],
  ['cat -n', after(ran(`cat -n ${P}`, whole))],
  ['cat of several files', after(ran(`cat README ${P}`, `readme\n${whole}`))],
  ['cat of ./p', after(ran(`cat ./${P}`, whole))],
  ['cat of the absolute path in the worktree', after(ran(`cat ${WORKTREE}/${P}`, whole))],
  ['cat in another folder', after(ran('cat a.go', whole, { cwd: 'src' }))],
  ['cat -- p', after(ran(`cat -- ${P}`, whole))],
  ['head', after(ran(`head ${P}`, whole))],
  ['head -n 5', after(ran(`head -n 5 ${P}`, numbered(5)))],
  ['head -5', after(ran(`head -5 ${P}`, numbered(5)))],
  ['head --lines=5', after(ran(`head --lines=5 ${P}`, numbered(5)))],
  ['head -n -5', after(ran(`head -n -5 ${P}`, numbered(5)))],
  ['head -c with five whole lines', after(ran(`head -c 37 ${P}`, `${numbered(5)}li`))],
  ['tail', after(ran(`tail ${P}`, whole))],
  ['tail -n 8', after(ran(`tail -n 8 ${P}`, numbered(8)))],
  ['tail -n +3', after(ran(`tail -n +3 ${P}`, numbered(8)))],
  ['tail -c with eight whole lines', after(ran(`tail -c 60 ${P}`, `2\n${numbered(8)}`))],
  ['diff that prints the changed lines', after(ran(`diff old ${P}`, '3,5c3,5\n< a\n---\n> b\n', { exit_code: 1 }))],
  ['diff with the path first', after(ran(`diff ${P} old`, '3,5c3\n< a\n---\n> b\n', { exit_code: 1 }))],
  ['diff -u', after(ran(`diff -u old ${P}`, '--- old\n+++ a\n@@ -1,2 +1,6 @@\n+a\n', { exit_code: 1 }))],
  ['diff -U 1', after(ran(`diff -U 1 old ${P}`, '@@ -2,5 +2,5 @@\n b\n', { exit_code: 1 }))],
  [
    'cmp that names the changed line',
    [wrote(P, '4'), ran(`cmp old ${P}`, `old ${P} differ: byte 30, line 4\n`, { exit_code: 1 })],
  ],
  ['git diff', after(ran('git diff', gitDiff(P)))],
  ['git diff HEAD', after(ran('git diff HEAD', gitDiff(P)))],
  ['git diff -- p', after(ran(`git diff -- ${P}`, gitDiff(P)))],
  ['git diff HEAD -- p', after(ran(`git diff HEAD -- ${P}`, gitDiff(P)))],
  ['git diff p', after(ran(`git diff ${P}`, gitDiff(P)))],
  ['git diff HEAD of its folder', after(ran('git diff HEAD src/', gitDiff(P)))],
  ['git diff of the absolute path', after(ran(`git diff ${WORKTREE}/${P}`, gitDiff(P)))],
  ['git --no-pager diff', after(ran('git --no-pager diff', gitDiff(P)))],
  ['git diff -U0', after(ran('git diff -U0', gitDiff(P)))],
  ['git diff among others', after(ran('git diff', gitDiff('z') + gitDiff(P)))],
  [
    'git diff of a mode',
    [wrote(P, ''), ran('git diff', `diff --git a/${P} b/${P}\nold mode 100644\nnew mode 100755\n`)],
  ],
  ['deletion: git diff', [deleted(P), ran('git diff', gitDeletion(P))]],
  ['deletion: git diff HEAD -- p', [deleted(P), ran(`git diff HEAD -- ${P}`, gitDeletion(P))]],
  ['deletion: git show HEAD:p', [deleted(P), ran(`git show HEAD:${P}`, 'gone\n')]],
  ['deletion: git show HEAD:./p', [deleted(P), ran(`git show HEAD:./${P}`, 'gone\n')]],
  [
    'deletion: a diff that was cut behind its header',
    [deleted(P), ran(`git diff HEAD -- ${P}`, gitDeletion(P), { truncated: true })],
  ],
  [
    'deletion: the old half of a rename',
    [
      deleted(P),
      ran('git diff HEAD', `diff --git a/${P} b/new\nsimilarity index 100%\nrename from ${P}\nrename to new\n`),
    ],
  ],
  ['a new file: a read', [created(P), read(P, '1-10')]],
  ['an empty new file: a read', [created(P, 0), read(P, '', 0)]],
  ['lines only taken out: a read of all', [wrote(P, ''), read(P, '1-10')]],
  ['no text: all of its lines', [fileRewritten(P, 'created', NO_TEXT), ran(`head -n 3 ${P}`, 'a\nb\n\ufffd\n')]],
  ['a link: git diff', [wrote(P, '', { entry: 'link' }), ran('git diff', gitDiff(P))]],
];

const NOT_SEEN: [string, Observation[]][] = [
  ['the write itself', [wrote(P, '3-5')]],
  ['the creation itself', [created(P)]],
  ['a read before the change', [read(P, '1-10'), wrote(P, '3-5')]],
  ['a command before the change', [ran('git diff', gitDiff(P)), wrote(P, '3-5')]],
  ['a read between two changes', [wrote(P, '3'), read(P, '1-10'), wrote(P, '3')]],
  ['a read of the latest of two changes only', [wrote(P, '1-2'), wrote(P, '8'), read(P, '8')]],
  ['a read that leaves out a line', after(read(P, '1-3,5-10'))],
  ['a bare name', after(read('a.go', '1-10'), ran('cat a.go', whole))],
  ['a backup of it', after(read(`${P}.bak`, '1-10'), ran(`cat ${P}.bak`, whole))],
  ['another letter case', after(read('src/A.go', '1-10'), ran('cat src/A.go', whole))],
  ['another worktree’s file of that name', after(ran(`cat /elsewhere/${P}`, whole))],
  ['a way through ..', after(ran(`cat src/../${P}`, whole))],
  ['cat without output', after(ran(`cat ${P}`, ''))],
  ['cat whose output was cut', after(ran(`cat ${P}`, whole, { truncated: true }))],
  ['cat that failed', after(ran(`cat ${P} missing`, whole, { exit_code: 1 }))],
  ['cat that was ended', after(ran(`cat ${P}`, whole, { exit_code: null }))],
  ['cat that printed fewer lines', after(ran(`cat ${P}`, numbered(4)))],
  ['cat -s', after(ran(`cat -s ${P}`, whole))],
  ['cat of standard input beside it', after(ran(`cat ${P} -`, whole))],
  ['a cat of the repository', after(ran(`./cat ${P}`, whole))],
  ['head that ends too early', after(ran(`head -n 4 ${P}`, numbered(4)))],
  ['head -c that ends in the last changed line', after(ran(`head -c 33 ${P}`, `${numbered(4)}line `))],
  ['head of several files', after(ran(`head ${P} z`, whole))],
  ['head -q', after(ran(`head -q ${P}`, whole))],
  ['tail that begins too late', after(ran(`tail -n 7 ${P}`, numbered(7)))],
  ['tail -c that begins in the first changed line', after(ran(`tail -c 52 ${P}`, `3\n${numbered(7)}`))],
  ['tail -f', after(ran(`tail -f ${P}`, whole))],
  ['a pipeline', after(ran(`cat ${P} | head`, whole))],
  ['a pipeline in a shell', after(ran(`sh -c cat␠${P}␠|␠wc`, whole, { argv: ['sh', '-c', `cat ${P} | head`] }))],
  ['a redirection', after(ran(`cat ${P} > copy`, whole), ran(`cat ${P} 2>/dev/null`, whole))],
  ['a second command', after(ran(`true && cat ${P}`, whole), ran(`cat ${P} ; true`, whole))],
  ['grep', after(ran(`grep -n . ${P}`, whole))],
  ['sed', after(ran(`sed -n 1,10p ${P}`, whole))],
  ['wc', after(ran(`wc -l ${P}`, `10 ${P}\n`))],
  ['a program that only echoes', after(ran(`echo ${P}`, whole), ran('echo diff', gitDiff(P)))],
  ['diff of other lines', after(ran(`diff old ${P}`, '3,4c3,4\n< a\n---\n> b\n', { exit_code: 1 }))],
  ['diff without a difference', after(ran(`diff ${P} ${P}`, ''))],
  ['diff -q', after(ran(`diff -q old ${P}`, 'Files differ\n', { exit_code: 1 }))],
  ['diff that failed', after(ran(`diff old ${P}`, '3,5c3,5\n', { exit_code: 2 }))],
  ['diff -w', after(ran(`diff -w old ${P}`, '1,10c1,10\n', { exit_code: 1 }))],
  ['diff with a forged hunk in a line', after(ran(`diff old ${P}`, '1c1\n< a\n---\n> b\r3,5c3,5\n', { exit_code: 1 }))],
  [
    'cmp that names another line',
    [wrote(P, '4'), ran(`cmp old ${P}`, `old ${P} differ: byte 3, line 3\n`, { exit_code: 1 })],
  ],
  ['cmp -l', [wrote(P, '4'), ran(`cmp -l old ${P}`, '4 101 102\n', { exit_code: 1 })]],
  ['git diff without output', after(ran('git diff', ''))],
  ['git diff of another path', after(ran('git diff', gitDiff('src/b.go')))],
  ['git diff --stat', after(ran('git diff --stat', ` ${P} | 2 +-\n`))],
  ['git diff --name-only', after(ran('git diff --name-only', `${P}\n`))],
  ['git diff --name-status', after(ran('git diff --name-status', `M\t${P}\n`))],
  ['git diff --quiet', after(ran('git diff --quiet', gitDiff(P)))],
  ['git diff -q', after(ran('git diff -q', gitDiff(P)))],
  ['git diff -w', after(ran('git diff -w', gitDiff(P)))],
  ['git diff --cached', after(ran('git diff --cached', gitDiff(P)))],
  ['git diff --staged', after(ran('git diff --staged', gitDiff(P)))],
  ['git diff HEAD~1', after(ran('git diff HEAD~1', gitDiff(P)))],
  ['git diff HEAD~1 -- p', after(ran(`git diff HEAD~1 -- ${P}`, gitDiff(P)))],
  ['git diff HEAD HEAD~1', after(ran('git diff HEAD HEAD~1', gitDiff(P)))],
  ['git diff main', after(ran('git diff main', gitDiff(P)))],
  ['git diff HEAD main src', after(ran('git diff HEAD main src', gitDiff(P)))],
  ['git diff -R', after(ran('git diff -R', gitDiff(P)))],
  ['git diff --no-index', after(ran(`git diff --no-index old ${P}`, gitDiff(P), { exit_code: 1 }))],
  ['git diff --word-diff', after(ran('git diff --word-diff', gitDiff(P)))],
  ['git diff --output', after(ran('git diff --output=x', gitDiff(P)))],
  ['git -C', after(ran('git -C other diff', gitDiff(P)))],
  ['git -c', after(ran('git -c diff.external=x diff', gitDiff(P)))],
  ['git --git-dir', after(ran('git --git-dir=x diff', gitDiff(P)))],
  [
    'git diff in a folder, which may be another repository',
    after(ran('git diff', gitDiff(P), { cwd: 'vendor/other' })),
  ],
  ['git diff whose output was cut', after(ran('git diff', gitDiff(P), { truncated: true }))],
  ['git diff that failed', after(ran('git diff', gitDiff(P), { exit_code: 128 }))],
  ['git diff piped', after(ran('git diff | cat', gitDiff(P)))],
  [
    'git diff of binary content',
    after(ran('git diff', `diff --git a/${P} b/${P}\nindex 1..2 100644\nBinary files a/${P} and b/${P} differ\n`)),
  ],
  [
    'a header in a line of content',
    after(ran('git diff', gitDiff('z', `@@ -1 +1 @@\n-x\n+${gitDiff(P).replaceAll('\n', '\n+')}`))),
  ],
  ['a header behind a carriage return', after(ran('git diff', gitDiff('z', `@@ -1 +1 @@\n-x\n+y\r${gitDiff(P)}`)))],
  [
    'a merge’s combined diff',
    after(ran('git diff', `diff --cc ${P}\nindex 1,2..3\n--- a/${P}\n+++ b/${P}\n@@@ -1 -1 +1 @@@\n`)),
  ],
  ['a diff without prefixes', after(ran('git diff', gitDiff(P).replaceAll(/ [ab]\//g, ' ')))],
  ['git show', after(ran('git show', gitDiff(P)))],
  ['git show HEAD:p of a modified path', after(ran(`git show HEAD:${P}`, whole))],
  ['git log -p', after(ran('git log -p', gitDiff(P)))],
  ['a new file: git diff, which says nothing of it', [created(P), ran('git diff HEAD', gitDiff('z'))]],
  ['an empty new file unread', [created(P, 0)]],
  ['an empty new file: cat, which prints nothing', [created(P, 0), ran(`cat ${P}`, '')]],
  ['lines only taken out: a read of some', [wrote(P, ''), read(P, '1-9')]],
  ['deletion: the write itself', [deleted(P)]],
  ['deletion: a read before', [read(P, '1-10'), deleted(P)]],
  ['deletion: git diff before', [ran('git diff', gitDiff(P)), deleted(P)]],
  ['deletion: git diff without output', [deleted(P), ran('git diff', '')]],
  ['deletion: git diff --stat', [deleted(P), ran('git diff --stat', ` ${P} | 1 -\n`)]],
  ['deletion: git show of another commit', [deleted(P), ran(`git show HEAD~1:${P}`, 'gone\n')]],
  ['deletion: git show of another path', [deleted(P), ran('git show HEAD:a.go', 'gone\n')]],
  ['deletion: git show without output', [deleted(P), ran(`git show HEAD:${P}`, '')]],
  [
    'deletion: a cut diff in which it is not the first',
    [deleted(P), ran('git diff', gitDiff('z') + gitDeletion(P), { truncated: true })],
  ],
  [
    'rename: only the difference to the old file',
    [
      created(P),
      ran(
        'git diff HEAD',
        `diff --git a/old b/${P}\nsimilarity index 90%\nrename from old\nrename to ${P}\n--- a/old\n+++ b/${P}\n@@ -1 +1 @@\n-a\n+b\n`,
      ),
    ],
  ],
  ['no text: one line of it', [fileRewritten(P, 'created', NO_TEXT), ran(`head -n 1 ${P}`, 'a\n')]],
  ['no text in a text’s place: one line of it', [fileRewritten(P, 'modified', NO_TEXT), ran(`head -n 1 ${P}`, 'a\n')]],
  ['a link: what it leads to', [wrote(P, '1', { entry: 'link' }), ran(`cat ${P}`, whole), read(P, '1-10')]],
  ['what cannot be read: a read all the same', [fileRewritten(P, 'created', undefined), read(P, '', 0)]],
  [
    'diff with a hunk in a name',
    after(ran('diff', `Binary files ${P} and x\n1,9c1,9\nz differ\n`, { argv: ['diff', P, HUNK_NAME], exit_code: 1 })),
  ],
  [
    'cmp with a line in a name',
    [
      wrote(P, '4'),
      ran('cmp', `${CMP_NAME} ${P} differ: byte 3, line 3\n`, { argv: ['cmp', CMP_NAME, P], exit_code: 1 }),
    ],
  ],
  ['a copy', [created(P), ran('git diff HEAD', `diff --git a/${P} b/${P}\ncopy from ${P}\ncopy to ${P}\n`)]],
];

describe('a changed path counts as reviewed after', () => {
  test.each(SEEN)('%s', (_name, ledger) => {
    expect(counts(ledger)).toBe(true);
  });
});

describe('a changed path does not count as reviewed after', () => {
  test.each(NOT_SEEN)('%s', (_name, ledger) => {
    expect(counts(ledger)).toBe(false);
  });
});

describe('a rename', () => {
  const moved = [deleted('old'), { ...created('new'), moved_from: 'old' }];
  const deletion = ran('git diff HEAD -- old', gitDeletion('old'));

  test('needs the deletion of the old path and a read of the new one', () => {
    expect(counts([...moved, deletion, read('new', '1-10')], ['old', 'new'])).toBe(true);
    expect(counts([...moved, read('new', '1-10')], ['old', 'new'])).toBe(false);
    expect(counts([...moved, deletion], ['old', 'new'])).toBe(false);
    expect(counts([...moved, deletion, read('new', '1-10')], ['new'])).toBe(false);
  });
});

describe('names that Git quotes', () => {
  test.each([
    ['"a/f\\303\\274r.txt" "b/f\\303\\274r.txt"', 'für.txt'],
    ['"a/tab\\there" "b/tab\\there"', 'tab\there'],
    ['"a/quote\\"d" "b/quote\\"d"', 'quote"d'],
    ['"a/raw\\377" "b/raw\\377"', 'raw\udcff'],
    ['a/two words b/two words', 'two words'],
    ['a/x b/x b/x b/x', 'x b/x'],
  ])('%s is found', (names, path) => {
    expect(counts([wrote(path, '1'), ran('git diff', `diff --git ${names}\n@@ -1 +1 @@\n-a\n+b\n`)], [path])).toBe(
      true,
    );
  });
});

describe('lines that earlier changes made', () => {
  test('are still to be read when a later change moved them', () => {
    const grown = [wrote(P, '8', { total_lines: 10 }), wrote(P, '1-5', { total_lines: 15 })];
    expect(counts([...grown, read(P, '1-5', 15)])).toBe(false);
    expect(counts([...grown, read(P, '1-5,13', 15)])).toBe(true);
  });

  test('of which the latest change made some anew are not asked for beyond them', () => {
    expect(counts([wrote(P, '3-4'), wrote(P, '3-4'), read(P, '3-4')])).toBe(true);
  });

  test('are never fewer than the lines that differ in truth', () => {
    /** For each old line in turn: lines put in before it, and whether it is taken out. */
    const edit = fc.array(
      fc.record({ add: fc.constantFrom(0, 0, 0, 0, 1, 3), gone: fc.constantFrom(false, false, true) }),
      {
        minLength: 14,
        maxLength: 14,
      },
    );
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let isNew: boolean[] = Array.from({ length: 12 }, () => false);
        const ledger: Observation[] = [];
        for (const steps of edits) {
          const [next, marked]: [boolean[], Set<number>] = [[], new Set()];
          for (const [at, { add, gone }] of steps.entries()) {
            for (let added = 0; added < add; added += 1) marked.add(next.push(true));
            if (gone && at < isNew.length) marked.add(next.length).add(next.length + 1);
            else if (at < isNew.length) next.push(isNew[at] === true);
          }
          next.push(...isNew.slice(steps.length));
          const changed = [...marked]
            .filter((line) => line >= 1 && line <= next.length)
            .map((line) => ({ from: line, to: line }));
          ledger.push({ ...wrote(P, '', { total_lines: next.length }), changed });
          isNew = next;
        }
        const total = isNew.length;
        for (const place of isNew.flatMap((made, at) => (made ? [at + 1] : []))) {
          const ranges = [
            { from: 1, to: place - 1 },
            { from: place + 1, to: total },
          ].filter(({ from, to }) => from <= to);
          expect(counts([...ledger, { ...read(P, '', total), ranges } as Observation])).toBe(false);
        }
        expect(counts([...ledger, read(P, total === 0 ? '' : `1-${total}`, total)])).toBe(true);
      }),
    );
  });
});

describe('a change that nobody watched', () => {
  const other = 'b'.repeat(64);

  test('is noticed by the next read, which is the first sight of it', () => {
    expect(counts([...after(read(P, '3-5')), read(P, '1-2', 10, other)])).toBe(false);
    expect(counts([...after(read(P, '3-5')), read(P, '1-10', 10, other)])).toBe(true);
    expect(counts([deleted(P), read(P, '1-2')])).toBe(false);
  });

  test('of a path that the base has is a deletion, although it was made anew before', () => {
    const gone = [created(P), deleted(P)];
    expect(judgeReviewReport(report(['z']), [...gone, read('z', '1')]).kind).toBe('accepted');
    expect(counts([...gone, { ...deleted(P), in_base: true }])).toBe(false);
    expect(counts([...gone, { ...deleted(P), in_base: true }, ran('git diff', gitDeletion(P))])).toBe(true);
  });

  test('is told from one that is known by bytes, kind and mode', () => {
    const known = changesOf([wrote(P, '3', { entry: 'executable' }), deleted('z')]).paths;
    const [file, gone] = known;
    const sha256 = file?.sha256 ?? '';
    expect(isKnown(file, { kind: 'present', sha256, entry: 'executable' })).toBe(true);
    expect(isKnown(file, { kind: 'present', sha256 })).toBe(false);
    expect(isKnown(file, { kind: 'present', sha256: other, entry: 'executable' })).toBe(false);
    expect(isKnown(file, { kind: 'present', sha256, entry: 'link' })).toBe(false);
    expect(isKnown(file, { kind: 'deleted' })).toBe(false);
    expect(isKnown(file, { kind: 'unreadable' })).toBe(false);
    expect(isKnown(gone, { kind: 'deleted' })).toBe(true);
    expect(isKnown(gone, { kind: 'present', sha256 })).toBe(false);
    expect(isKnown(undefined, { kind: 'deleted' })).toBe(false);
  });

  test('of a path that the work never wrote is no change of the work', () => {
    expect(counts([read('log', '1'), read('log', '1', 10, other)], ['log'])).toBe(true);
  });
});

test('no command shows a path that it does not name', () => {
  const word = fc.constantFrom(
    'cat',
    'head',
    'tail',
    'diff',
    'git',
    'show',
    'HEAD',
    '-n',
    '3',
    '--',
    '-p',
    'b',
    'HEAD:b',
    'src',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 1), (argv, exit_code) => {
      const command: CommandObservation = ran('x', `${whole}1,10c1,10\n`, { argv, exit_code });
      expect(counts(after(command))).toBe(false);
    }),
  );
});
