import { expect, test } from 'vitest';
import { questionChoices } from './question-answer.ts';

type Asked = Parameters<typeof questionChoices>[0];

const ask = (kind: Asked['kind'], options: unknown): Asked => ({
  id: 'i1',
  kind,
  status: 'pending',
  createdAt: '2026-01-01T00:00:00Z',
  request: { title: 'edit x', options },
});

const means = (asked: Asked) => questionChoices(asked).map((choice) => choice.means);

const LEAVE = { kind: 'leave' };
const answer = (decision: string, option_id?: string) => ({
  kind: 'answer',
  answer: { decision, ...(option_id !== undefined && { option_id }) },
});

test.each<[string, Asked, unknown[]]>([
  [
    'a permission by its options, never a lasting one',
    ask('permission', [
      { id: 'y', name: 'Yes', kind: 'allow_once' },
      { id: 'z', name: 'Always', kind: 'allow_always' },
      { id: 'n', name: 'No', kind: 'reject_once' },
    ]),
    [answer('allow', 'y'), answer('deny', 'n'), LEAVE],
  ],
  ['a permission without options', ask('permission', []), [answer('allow'), answer('deny'), LEAVE]],
  ['a permission whose options are no list', ask('permission', 'all'), [answer('allow'), answer('deny'), LEAVE]],
  [
    'a permission with an option of no known kind, which is left out',
    ask('permission', [{ id: '?', name: 'Perhaps' }]),
    [answer('allow'), answer('deny'), LEAVE],
  ],
  [
    'a question by its options, by words, or not at all',
    ask('input', [
      { id: 'a', name: 'A' },
      { id: 'c', name: 'Cancel', kind: 'reject_once' },
    ]),
    [answer('allow', 'a'), answer('deny', 'c'), { kind: 'write' }, LEAVE],
  ],
  ['a question without options', ask('input', []), [{ kind: 'write' }, answer('deny'), LEAVE]],
])('answers %s', (_, asked, choices) => {
  expect(means(asked)).toEqual(choices);
});

test('shows the name of an option on one line, its controls escaped', () => {
  const [choice] = questionChoices(ask('input', [{ id: 'a', name: '\u001b[2Jone\ntwo' }]));
  expect(choice?.label).toBe('\\x1B[2Jone two');
});
