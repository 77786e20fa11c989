import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  completeStepSchema,
  type DeliveryRequirements,
  deliveryGate,
  type Gap,
  type Observation,
  reviewReportSchema,
} from './index.ts';
import { created, deleted, gitDeletion, ran, read, reported, wrote } from './test-fixture.ts';

const npmTest = { id: 'unit', argv: ['npm', 'test'], cwd: '.' };
const DEEP: DeliveryRequirements = { commands: [npmTest], lane: 'deep' };

function gate(ledger: readonly Observation[], requirements = DEEP) {
  return deliveryGate({ ledger, requirements, worktree: '/work/tree' });
}

function gapsOf(ledger: readonly Observation[], requirements = DEEP): readonly Gap[] {
  const result = gate(ledger, requirements);
  return result.kind === 'missing' ? result.gaps : [];
}

const codesOf = (ledger: readonly Observation[], requirements = DEEP) =>
  gapsOf(ledger, requirements).map(({ code }) => code);

const tested = ran('npm test', 'ok\n');
const todos = (...texts: string[]): Observation => ({
  kind: 'todos',
  items: texts.map((text, at) => ({ id: `t${at + 1}`, text, status: 'done' })),
});
const step = (name: string, paths = ['a']): Observation => ({
  kind: 'step',
  step: { step: name, result: 'done', evidence: [{ kind: 'diff', summary: 'seen', paths }] },
});

/** Two changes, both read, tested and reported. */
const READY: readonly Observation[] = [
  wrote('a', '3'),
  created('b'),
  read('a', '3'),
  read('b', '1-10'),
  tested,
  reported(['a', 'b']),
];

describe('a turn without a change ends without ceremony', () => {
  test.each<[string, Observation[]]>([
    ['nothing happened', []],
    ['reads and commands only', [read('a', '1'), tested]],
    ['todos that nobody signed off', [todos('look')]],
    ['a file that was created and deleted again', [created('scratch'), wrote('scratch', '1'), deleted('scratch')]],
  ])('%s', (_name, ledger) => {
    expect(gate(ledger)).toEqual({ kind: 'no_change' });
  });
});

describe('changed work is ready', () => {
  test('when every path was read, verification passed and a report covers all', () => {
    expect(gate(READY)).toMatchObject({ kind: 'ready', paths: ['a', 'b'], unverified: 0, review: { verdict: 'pass' } });
  });

  test('whichever of verification and report came first', () => {
    expect(gate([...READY.slice(0, 4), reported(['a', 'b']), tested]).kind).toBe('ready');
  });

  test('although reports that came later were refused, as long as these are few', () => {
    const refused = (count: number) => Array.from({ length: count }, () => reported(['elsewhere']));
    expect(gate([...READY, ...refused(15)]).kind).toBe('ready');
    expect(gate([...READY, ...refused(16)]).kind).toBe('missing');
  });

  test('with a warning that blocks nothing', () => {
    const findings = [{ summary: 'slow', severity: 'medium' as const }];
    expect(gate([...READY.slice(0, 5), reported(['a', 'b'], { verdict: 'warn', findings })]).kind).toBe('ready');
  });

  test('in lane fast without verification, which stays with the host', () => {
    expect(
      gate(
        READY.filter((entry) => entry !== tested),
        { ...DEEP, lane: 'fast' },
      ).kind,
    ).toBe('ready');
  });

  test('when a todo is signed off by its text, id or number, or cancelled', () => {
    for (const name of ['mend it', ' mend  it ', 't1', '1', 'step 1', '#1', '1. mend it'])
      expect(gate([todos('mend it'), ...READY, step(name)]).kind).toBe('ready');
    const items = [{ id: 'x', text: 'drop it', status: 'cancelled' as const }];
    expect(gate([...READY, { kind: 'todos', items }]).kind).toBe('ready');
  });

  test('with the number of evidence that is only the worker’s word', () => {
    const manual: Observation = {
      kind: 'step',
      step: { step: '1', result: 'done', evidence: [{ kind: 'manual', summary: 'looked' }] },
    };
    expect(gate([todos('mend it'), ...READY, manual])).toMatchObject({ kind: 'ready', unverified: 1 });
  });
});

describe('changed work is not ready', () => {
  test.each<[string, readonly Observation[], Gap['code'][]]>([
    ['nothing but a write', [wrote('a', '3')], ['verification_missing', 'path_unread', 'report_missing']],
    ['no report', READY.slice(0, 5), ['report_missing']],
    ['a report that leaves a path out', [...READY.slice(0, 5), reported(['a'])], ['report_missing']],
    [
      'a report before the reads',
      [READY[0], READY[1], tested, reported(['a', 'b']), READY[2], READY[3]] as Observation[],
      ['report_missing'],
    ],
    [
      'a report before the change',
      [...READY.slice(2), ...READY.slice(0, 2)],
      ['verification_missing', 'path_unread', 'path_unread', 'report_missing'],
    ],
    [
      'a change after the report',
      [...READY, wrote('a', '4')],
      ['verification_missing', 'path_unread', 'report_missing'],
    ],
    [
      'a scratch file made and deleted after the report',
      [...READY, created('s'), deleted('s')],
      ['verification_missing', 'report_missing'],
    ],
    [
      'only a report of security',
      [...READY.slice(0, 5), reported(['a', 'b'], { kind: 'security' })],
      ['report_missing'],
    ],
    ['no verification', READY.filter((entry) => entry !== tested), ['verification_missing']],
    ['verification that failed', [...READY, ran('npm test', '', { exit_code: 1 })], ['verification_failed']],
    ['verification that was ended', [...READY, ran('npm test', '', { exit_code: null })], ['verification_failed']],
    [
      'verification in another folder',
      READY.map((entry) => (entry === tested ? ran('npm test', 'ok', { cwd: 'sub' }) : entry)),
      ['verification_missing'],
    ],
    [
      'verification with another argument',
      READY.map((entry) => (entry === tested ? ran('npm test x', 'ok') : entry)),
      ['verification_missing'],
    ],
    ['a todo that is only called done', [todos('mend it'), ...READY], ['todo_open']],
    ['a todo whose step has no evidence', [todos('mend it'), ...READY, step('1', ['z'])], ['todo_open']],
    [
      'a todo signed off by an older list’s number',
      [todos('mend it'), ...READY, step('1'), todos('prove it')],
      ['todo_open'],
    ],
    ['a step that names something else', [todos('mend it'), ...READY, step('mend')], ['todo_open']],
    ['a deletion unseen', [deleted('a'), tested, reported(['a'])], ['deletion_unseen', 'report_missing']],
  ])('%s', (_name, ledger, codes) => {
    expect(codesOf(ledger)).toEqual(codes);
  });

  test('in lane fast before every changed path is reviewed', () => {
    expect(codesOf([wrote('a', '3')], { commands: [npmTest], lane: 'fast' })).toEqual([
      'path_unread',
      'report_missing',
    ]);
  });

  test('until both halves of a rename were seen', () => {
    const moved = [deleted('old'), { ...created('new'), moved_from: 'old' }, tested];
    expect(codesOf([...moved, reported(['new'])])).toEqual(['deletion_unseen', 'path_unread', 'report_missing']);
    const seen = [ran('git diff HEAD -- old', gitDeletion('old')), read('new', '1-10')];
    expect(codesOf([...moved, ...seen, reported(['new'])])).toEqual(['report_missing']);
    expect(gate([...moved, ...seen, reported(['old', 'new'])]).kind).toBe('ready');
  });
});

describe('a change that touches security', () => {
  const login = [wrote('src/login.ts', '3'), wrote('b', '3'), read('src/login.ts', '3'), read('b', '3'), tested];
  const review = reported(['src/login.ts', 'b']);
  const security = reported(['src/login.ts'], { kind: 'security' });

  test('needs a report of security beside the review', () => {
    expect(codesOf([...login, review])).toEqual(['security_report_missing']);
    expect(codesOf([...login, security])).toEqual(['report_missing']);
    expect(gate([...login, security, review])).toMatchObject({ kind: 'ready', security: { kind: 'security' } });
  });

  test('is known by what was written too', () => {
    const ledger = [wrote('a', '3', { security: ['network'] }), read('a', '3'), tested, reported(['a'])];
    const [gap] = gapsOf(ledger);
    expect(gap).toMatchObject({
      code: 'security_report_missing',
      call: { arguments: { kind: 'security', reviewed_paths: ['a'] } },
    });
    expect(gap?.message).toContain('network');
  });

  test('stays one when a later write hides it', () => {
    const ledger = [
      wrote('a', '3', { security: ['network'] }),
      wrote('a', '3'),
      read('a', '3'),
      tested,
      reported(['a']),
    ];
    expect(codesOf(ledger)).toEqual(['security_report_missing']);
  });
});

describe('a report that blocks', () => {
  test.each<[string, Parameters<typeof reported>[1], string[]]>([
    ['verdict block', { verdict: 'block', findings: [{ summary: 'wrong' }] }, ['wrong']],
    ['a blocking finding', { findings: [{ summary: 'wrong', severity: 'blocking' }] }, ['wrong']],
    ['blocking_findings', { verdict: 'warn', blocking_findings: ['wrong'] }, ['wrong']],
    ['security', { kind: 'security', verdict: 'block', required_changes: ['mend'] }, ['mend']],
  ])('%s: forbids delivery', (_name, more, findings) => {
    expect(gate([...READY, reported(['a', 'b'], more)])).toEqual({ kind: 'blocked', findings });
  });

  test('cannot be taken back without a change', () => {
    const blocked = [...READY, reported(['a', 'b'], { verdict: 'block' })];
    expect(gate([...blocked, reported(['a', 'b'])]).kind).toBe('blocked');
    expect(gate([...blocked, wrote('a', '3')]).kind).toBe('missing');
    const mended = [...blocked, wrote('b', '3'), read('b', '1-10'), tested, reported(['a', 'b'])];
    expect(gate(mended).kind).toBe('ready');
  });

  test('is heard although it proves nothing', () => {
    expect(gate([wrote('a', '3'), reported(['z'], { verdict: 'block' })]).kind).toBe('blocked');
  });
});

describe('each gap', () => {
  test('names the path or command and the exact call', () => {
    const ledger = [wrote('a', '3-4'), deleted('b'), todos('mend it')];
    expect(gapsOf(ledger)).toEqual([
      {
        code: 'verification_missing',
        message: 'Verification unit (npm test) has not run since the last change.',
        call: { tool: 'bash', arguments: { argv: ['npm', 'test'] } },
      },
      {
        code: 'todo_open',
        message: 'Todo "mend it" is not signed off: complete it with evidence, or cancel it with todo_write.',
        call: {
          tool: 'complete_step',
          arguments: {
            step: 'mend it',
            result: 'Done.',
            evidence: [{ kind: 'diff', summary: 'What was changed for it.', paths: ['a', 'b'] }],
          },
        },
      },
      {
        code: 'path_unread',
        message: 'a was not read since its latest change (lines 3-4).',
        call: { tool: 'read_file', arguments: { path: 'a', from: 3, to: 4 } },
      },
      {
        code: 'deletion_unseen',
        message: 'The deletion of b was not looked at since it was made.',
        call: { tool: 'bash', arguments: { argv: ['git', 'diff', 'HEAD', '--', 'b'] } },
      },
      {
        code: 'report_missing',
        message:
          'No accepted review_report since the last change covers a, b. Say what you found; "pass" only when it is true.',
        call: {
          tool: 'review_report',
          arguments: { kind: 'review', verdict: 'pass', reviewed_paths: ['a', 'b'], findings: [] },
        },
      },
    ]);
  });

  test('is closed by its call, one after the other, until the work is ready', () => {
    fc.assert(
      fc.property(fc.array(anyWrite, { minLength: 1, maxLength: 8 }), fc.boolean(), (writes, withTodo) => {
        const ledger: Observation[] = [...writes, ...(withTodo ? [todos('mend it')] : [])];
        for (let round = 0; gate(ledger).kind === 'missing'; round += 1) {
          expect(round).toBeLessThan(20);
          const [gap] = gapsOf(ledger);
          if (gap !== undefined) ledger.push(made(gap, ledger));
        }
        expect(['ready', 'no_change']).toContain(gate(ledger).kind);
      }),
    );
  });
});

const anyWrite: fc.Arbitrary<Observation> = fc.oneof(
  fc
    .record({
      path: fc.constantFrom('a', 'src/login.ts', 'c'),
      from: fc.integer({ min: 1, max: 10 }),
      total: fc.integer({ min: 10, max: 14 }),
    })
    .map(({ path, from, total }) => wrote(path, `${from}-10`, { total_lines: total })),
  fc.constantFrom('a', 'd').map((path) => created(path)),
  fc.constantFrom('a', 'd', 'c').map((path) => deleted(path)),
);

/** What a ledger holds once the call of a gap was made. */
function made({ call }: Gap, ledger: readonly Observation[]): Observation {
  const input = call.arguments as { path: string; from?: number; to?: number; argv: string[] };
  if (call.tool === 'read_file') {
    const { total_lines } = ledger.findLast(
      (entry) => entry.kind === 'write' && entry.path === input.path,
    ) as ReturnType<typeof wrote>;
    return read(input.path, `${input.from ?? 1}-${input.to ?? total_lines}`, total_lines);
  }
  if (call.tool === 'bash') {
    const [program, , , , path = ''] = input.argv;
    return ran('', program === 'git' ? gitDeletion(path) : 'ok\n', { argv: input.argv });
  }
  if (call.tool === 'complete_step') return { kind: 'step', step: completeStepSchema.parse(call.arguments) };
  return { kind: 'report', report: reviewReportSchema.parse(call.arguments) };
}

describe('whatever else is in a ledger', () => {
  const unrelated: fc.Arbitrary<Observation> = fc.oneof(
    fc.constantFrom('a', 'b', 'other').map((path) => read(path, '1')),
    fc.constantFrom('cat a', 'git status', 'git diff --stat', 'npm run lint').map((line) => ran(line, 'x\n')),
    fc.constantFrom('cat a', 'ls').map((line) => ran(line, '', { exit_code: 1 })),
    fc.constant(step('something')),
    fc.constant(reported(['z'])),
    fc.constant(reported(['a', 'b'])),
    fc.constant(tested),
  );

  test('nothing unrelated makes ready work unready', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(unrelated, fc.nat(READY.length)), { maxLength: 6 }), (extras) => {
        const ledger = [...READY];
        for (const [extra, at] of extras) ledger.splice(at, 0, extra);
        expect(gate(ledger).kind).toBe('ready');
      }),
    );
  });

  test('a write after the report always makes it unready', () => {
    fc.assert(
      fc.property(
        anyWrite,
        fc.array(
          unrelated.filter((entry) => entry.kind !== 'report'),
          { maxLength: 4 },
        ),
        (write, extras) => {
          expect(gate([...READY, write, ...extras]).kind).toBe('missing');
        },
      ),
    );
  });

  test('no order of the same entries is ready but one with the report after all changes and reads', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...READY], { minLength: READY.length }), (ledger) => {
        const place = (entry: Observation | undefined) => ledger.indexOf(entry as Observation);
        const [a, b, readA, readB, , last] = READY;
        const lastWrite = Math.max(place(a), place(b));
        const isRight =
          place(readA) > place(a) &&
          place(readB) > place(b) &&
          place(tested) > lastWrite &&
          place(last) > Math.max(lastWrite, place(readA), place(readB));
        expect(gate(ledger).kind === 'ready').toBe(isRight);
      }),
    );
  });
});
