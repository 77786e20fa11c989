import { describe, expect, test } from 'vitest';
import type { TaskDetail } from '../../app/index.ts';
import type { Approval } from '../given-approval.ts';
import type { Manner } from './manner.ts';
import { leftAt, nextStep } from './next-step.ts';

type State = TaskDetail['status']['state'];

const question = { id: 'i1', kind: 'permission', status: 'pending', createdAt: '', request: {} } as const;

function detail(state: State, interactions: unknown[] = []): TaskDetail {
  return {
    status: { state },
    interactions,
    review: { required_review_criteria: ['a', 'b'] },
  } as unknown as TaskDetail;
}

const manner = (approval: Approval, more: Partial<Manner> = {}): Manner => ({
  asks: false,
  approval,
  resumes: false,
  ...more,
});

const ASKS = manner({ kind: 'ask' }, { asks: true });
const SILENT = manner({ kind: 'ask' });
const YES = manner({ kind: 'all' });
const listed = (...ids: string[]) => manner({ kind: 'listed', ids });
const NOTHING = { resumed: false, finalized: false };

describe('the next step of a session', () => {
  test.each<[State, Manner, unknown]>([
    ['provisioning', ASKS, { do: 'watch' }],
    ['running', SILENT, { do: 'watch' }],
    ['verifying', YES, { do: 'watch' }],
    ['waiting_permission', ASKS, { do: 'ask_answer', interaction: question }],
    ['waiting_permission', YES, { do: 'end', ending: { kind: 'waits' } }],
    ['waiting_input', SILENT, { do: 'end', ending: { kind: 'waits' } }],
    ['paused', ASKS, { do: 'ask_pause' }],
    ['paused', YES, { do: 'end', ending: { kind: 'paused' } }],
    ['paused', { ...YES, resumes: true }, { do: 'resume' }],
    ['review_required', ASKS, { do: 'ask_review' }],
    ['review_required', SILENT, { do: 'end', ending: { kind: 'review_needed', missing: [] } }],
    ['review_required', listed('a'), { do: 'end', ending: { kind: 'review_needed', missing: ['b'] } }],
    ['review_required', listed('b', 'a', 'c'), { do: 'finalize', approved: ['a', 'b'] }],
    ['review_required', YES, { do: 'finalize', approved: ['a', 'b'] }],
    ['completed', ASKS, { do: 'end', ending: { kind: 'over' } }],
    ['commit_failed', YES, { do: 'end', ending: { kind: 'over' } }],
    ['failed', SILENT, { do: 'end', ending: { kind: 'over' } }],
    ['cancelled', ASKS, { do: 'end', ending: { kind: 'over' } }],
    ['closed', ASKS, { do: 'end', ending: { kind: 'over' } }],
  ])('of a task that is %s', (state, how, step) => {
    expect(nextStep(detail(state, [question]), how, NOTHING)).toEqual(step);
  });

  test('waits for the state to follow when the open question was just settled', () => {
    const settled = { ...question, status: 'resolved' };
    expect(nextStep(detail('waiting_input', [settled]), ASKS, NOTHING)).toEqual({ do: 'watch' });
  });

  test('does nothing twice that the command line asked for', () => {
    const done = { resumed: true, finalized: true };
    expect(nextStep(detail('paused'), { ...YES, resumes: true }, done)).toMatchObject({ ending: { kind: 'paused' } });
    expect(nextStep(detail('review_required'), YES, done)).toMatchObject({ ending: { kind: 'refused' } });
    expect(nextStep(detail('review_required'), ASKS, done)).toEqual({ do: 'ask_review' });
  });

  test.each<[State, string, unknown]>([
    ['paused', 'host_stopped', { kind: 'paused' }],
    ['review_required', 'review_ready', { kind: 'review_needed', missing: [] }],
    ['review_required', 'verification_failed', { kind: 'refused' }],
    ['waiting_input', 'waiting_input', { kind: 'waits' }],
  ])('where the person leaves a task that is %s (%s)', (state, phase, ending) => {
    expect(leftAt({ status: { state, phase } } as TaskDetail)).toEqual(ending);
  });
});
