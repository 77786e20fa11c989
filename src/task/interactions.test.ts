import { describe, expect, test } from 'vitest';
import { NOW } from '../../test/task-record.ts';
import { RemitError } from '../base/index.ts';
import { answerOf, type Interaction, type InteractionResponse } from './interactions.ts';

const OPTIONS = [
  { id: 'once', name: 'Once', kind: 'allow_once' },
  { id: 'ever', name: 'Ever', kind: 'allow_always' },
  { id: 'no', name: 'No', kind: 'reject_once' },
  { id: 'odd', name: 'Odd', kind: '' },
];

const asked = (kind: Interaction['kind']): Interaction => ({
  id: 'i',
  kind,
  status: 'pending',
  createdAt: NOW,
  request: { title: 't', options: OPTIONS },
});

function refusal(kind: Interaction['kind'], response: InteractionResponse): string {
  try {
    answerOf(asked(kind), response);
  } catch (error) {
    if (error instanceof RemitError && error.code === 'invalid_request') return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('an answer to a permission request', () => {
  test('is the decision, or the option that means the same', () => {
    const permission = asked('permission');
    expect(answerOf(permission, { decision: 'deny' })).toEqual({ kind: 'deny' });
    expect(answerOf(permission, { decision: 'allow' })).toEqual({ kind: 'allow' });
    expect(answerOf(permission, { decision: 'allow', option_id: 'once' })).toEqual({
      kind: 'option',
      optionId: 'once',
    });
    expect(answerOf(permission, { decision: 'deny', option_id: 'no' })).toEqual({ kind: 'option', optionId: 'no' });
  });

  test.each([
    ['deny', 'once'],
    ['allow', 'no'],
    ['allow', 'odd'],
  ] as const)('is refused when decision %s comes with option %s', (decision, option_id) => {
    const message = refusal('permission', { decision, option_id });
    expect(message).toMatch(/decision .* and option_id .* contradict/);
    expect(message).toContain(`means "${decision}"`);
  });

  test.each(['allow', 'deny'] as const)('is refused with free text, which no permission takes (%s)', (decision) => {
    const message = refusal('permission', { decision, answer: 'go ahead' });
    expect(message).toMatch(/^answer is for questions/);
    expect(message).toContain('leave answer out');
  });

  test('never gives a lasting permission, nor an option that was not offered', () => {
    expect(refusal('permission', { decision: 'allow', option_id: 'ever' })).toContain('lasting');
    expect(refusal('permission', { decision: 'allow', option_id: 'other' })).toContain('not offered');
  });
});

describe('an answer to a question', () => {
  test('says which of several answers is meant; "allow" alone does only where there is one', () => {
    expect(refusal('input', { decision: 'allow' })).toMatch(/option_id, one of: once \(Once\)/);
    const [only] = OPTIONS;
    const one: Interaction = { ...asked('input'), request: { title: 't', options: only ? [only] : [] } };
    expect(answerOf(one, { decision: 'allow' })).toEqual({ kind: 'allow' });
    expect(answerOf(asked('input'), { decision: 'deny' })).toEqual({ kind: 'deny' });
  });

  test('is an option, also one without a kind, or words', () => {
    const question = asked('input');
    expect(answerOf(question, { decision: 'allow', option_id: 'once' })).toEqual({ kind: 'option', optionId: 'once' });
    expect(answerOf(question, { decision: 'allow', option_id: 'odd' })).toEqual({ kind: 'option', optionId: 'odd' });
    expect(answerOf(question, { decision: 'allow', answer: 'two' })).toEqual({ kind: 'text', text: 'two' });
  });

  test('is refused when its parts contradict each other', () => {
    expect(refusal('input', { decision: 'deny', option_id: 'once' })).toContain('contradict');
    expect(refusal('input', { decision: 'deny', answer: 'two' })).toContain('"deny" declines');
    expect(refusal('input', { decision: 'allow', option_id: 'once', answer: 'two' })).toContain('only one');
  });
});
