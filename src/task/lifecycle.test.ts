import { describe, expect, test } from 'vitest';
import { NOW, recordIn } from '../../test/task-record.ts';
import wire from '../../wire/errors.json' with { type: 'json' };
import { sha256 } from '../base/index.ts';
import { Deadline } from './deadline.ts';
import { land, type WorkEnd } from './landing.ts';
import { isTerminal, moveTo, TRANSITIONS } from './lifecycle.ts';
import type { TaskState, TaskStatus } from './record.ts';
import { WorkerSlots } from './worker-slots.ts';

const RUNNING: TaskStatus = { state: 'running', phase: 'working' };

describe('a task', () => {
  test('moves exactly along the transitions of the wire', () => {
    expect(TRANSITIONS).toEqual(wire.transitions);
  });

  test('in a terminal state goes nowhere', () => {
    for (const state of Object.keys(TRANSITIONS) as TaskState[]) {
      if (!isTerminal(state)) continue;
      expect(() => moveTo(recordIn({ state, phase: state, reason: 'r' } as TaskStatus), RUNNING)).toThrow(
        /cannot become running/,
      );
    }
  });
});

describe('the end of work lands', () => {
  const candidate = {
    tree: 'a'.repeat(40),
    diff_sha256: 'b'.repeat(64),
    diff_bytes: 1,
    diff_stat: '',
    changed_files: ['x'],
    risks: ['risk'],
  };
  const idle = (verdict: Extract<WorkEnd, { kind: 'idle' }>['verdict']): WorkEnd => ({
    kind: 'idle',
    verdict,
    summary: 'done',
    risks: ['turn'],
  });
  const collision = {
    checkpoint: 'c',
    baseCommit: '0'.repeat(40),
    dirtyPaths: ['x'],
    committedPaths: [],
    overlappingPaths: ['x'],
    unavailable: false,
    detectedAt: NOW,
  };

  test('with what was to be repaired kept through a pause, and done with at the next review', () => {
    const repairing = { ...recordIn(RUNNING), guidance: 'x must be 2' };
    const paused = land(repairing, idle({ kind: 'no_change_in_scope', outOfScope: [], ignored: [] }), NOW);
    expect(paused).toMatchObject({ status: { state: 'paused' }, guidance: 'x must be 2' });
    const shown = land(repairing, idle({ kind: 'reviewable', review: candidate, taken: [] }), NOW);
    expect(shown.status.state).toBe('review_required');
    expect(shown.guidance).toBeUndefined();
  });

  test('a candidate at review, one revision on, with the risks of turn, tree and task', () => {
    expect(land(recordIn(RUNNING), idle({ kind: 'reviewable', review: candidate, taken: [] }), NOW)).toMatchObject({
      review_revision: 4,
      status: {
        state: 'review_required',
        review: { revision: 4, summary: 'done', risks: ['turn', 'risk', 'standing'] },
      },
    });
  });

  test.each<[WorkEnd, string, RegExp]>([
    [idle({ kind: 'no_change_in_scope', outOfScope: [], ignored: [] }), 'no_change_in_scope', /without any change/],
    [
      idle({ kind: 'no_change_in_scope', outOfScope: ['a.txt'], ignored: [] }),
      'no_change_in_scope',
      /outside the write scope.*a\.txt/,
    ],
    [
      idle({ kind: 'no_change_in_scope', outOfScope: ['a.txt'], ignored: ['dist/x'] }),
      'no_change_in_scope',
      /ignored by the repository, so it is never committed: dist\/x\. Changed outside of it, and never taken: a\.txt/,
    ],
    [
      idle({ kind: 'refused', phase: 'secret_detected', paths: ['k'], reason: 'No keys' }),
      'secret_detected',
      /No keys: k/,
    ],
    [{ kind: 'interrupted', phase: 'deadline', reason: 'Too long' }, 'deadline', /Too long/],
    [{ kind: 'collision', collision }, 'source_collision', /overlaps the write scope: x/],
  ])('as a pause with a fresh token: %j', (end, phase, reason) => {
    const landed = land(recordIn(RUNNING), end, NOW);
    expect(landed).toMatchObject({
      pause_revision: 2,
      status: { state: 'paused', phase, reason: expect.stringMatching(reason) },
    });
    if (landed.status.state === 'paused') expect(landed.status.reason_hash).toBe(sha256(landed.status.reason));
  });
});

describe('worker slots', () => {
  test('admit up to the limit, then in order', async () => {
    const slots = new WorkerSlots(1);
    const never = new AbortController().signal;
    const order: string[] = [];
    await slots.acquire('a', never);
    const waiting = ['b', 'c'].map((id) => slots.acquire(id, never).then(() => order.push(id)));
    slots.release('a');
    await waiting[0];
    expect(order).toEqual(['b']);
    slots.release('b');
    await waiting[1];
    expect(order).toEqual(['b', 'c']);
  });

  test('put an idle worker to rest for one that waits', async () => {
    const slots = new WorkerSlots(1);
    const never = new AbortController().signal;
    await slots.acquire('idle', never);
    let rested = false;
    slots.idle('idle', async () => {
      rested = true;
      slots.release('idle');
    });
    await slots.acquire('next', never);
    expect(rested).toBe(true);
  });

  test('forget a waiter that gave up', async () => {
    const slots = new WorkerSlots(1);
    const abort = new AbortController();
    await slots.acquire('a', abort.signal);
    const waiting = slots.acquire('b', abort.signal);
    abort.abort(new Error('gave up'));
    await expect(waiting).rejects.toThrow('gave up');
    slots.release('a');
    await slots.acquire('c', new AbortController().signal);
  });
});

test('a deadline stands still while it is paused and fires after it goes on', async () => {
  const fired = Promise.withResolvers<void>();
  let early = true;
  const deadline = new Deadline(20, () => {
    expect(early).toBe(false);
    fired.resolve();
  });
  deadline.pause();
  await new Promise((resolve) => setTimeout(resolve, 60));
  early = false;
  deadline.resume();
  await fired.promise;
});
