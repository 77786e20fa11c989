/** The whole job with each family of agents, as scripted programs of their shapes. The real ones are run elsewhere. */
import { expect, test } from 'vitest';
import type { AgentScript, Step } from '../agents/script.ts';
import { contract, makeWorkshop, provenBy } from './workshop.ts';

const STEPS: Step[] = [
  { do: 'read', path: 'src/x.ts' },
  { do: 'edit', path: 'src/x.ts', from: 'x = 1', to: 'x = 2', ask: true },
  { do: 'run', argv: ['grep', '-q', 'x = 2', 'src/x.ts'], ask: true },
  { do: 'move', path: 'src/old.ts', to: 'src/new.ts', ask: true },
  { do: 'delete', path: 'src/gone.ts', ask: true },
];

test.each<[string, 'reasonix' | 'acp', NonNullable<AgentScript['shape']>, 'fast' | 'deep', Record<string, string>]>([
  ['a plain agent', 'acp', 'plain', 'fast', {}],
  ['a plain agent', 'acp', 'plain', 'deep', {}],
  [
    'Reasonix 1.19',
    'reasonix',
    'reasonix-1.19',
    'fast',
    { reasonix_work_mode: 'economy', reasonix_session_mode: 'normal' },
  ],
  [
    'Reasonix 1.19',
    'reasonix',
    'reasonix-1.19',
    'deep',
    { reasonix_work_mode: 'delivery', reasonix_session_mode: 'goal' },
  ],
  ['Reasonix 1.38', 'reasonix', 'reasonix-1.38', 'fast', { reasonix_session_mode: 'normal' }],
  ['Reasonix 1.38', 'reasonix', 'reasonix-1.38', 'deep', { reasonix_session_mode: 'goal' }],
])('%s (adapter %s, shape %s) does the job in lane %s', async (_name, adapter, shape, lane, modes) => {
  const usage = { promptTokens: 120, completionTokens: 30, cacheHitTokens: 100 };
  const workshop = makeWorkshop({ adapter, script: { shape, prompts: [{ steps: STEPS, usage }] } });
  workshop.write('src/old.ts', 'export const old = true;\n');
  workshop.write('src/gone.ts', 'export const gone = true;\n');
  workshop.git('add', '.');
  workshop.git('commit', '-qm', 'More');
  const supervisor = await workshop.supervisor();
  const task = contract(provenBy('grep', '-q', 'x = 2', 'src/x.ts'));
  const shown = await supervisor.delegate('shape', task, { worker_lane: lane });
  expect(shown).toMatchObject({ state: 'review_required', worker_lane: lane, ...modes });
  expect(shown['changed_files'].toSorted()).toEqual(['src/gone.ts', 'src/new.ts', 'src/x.ts']);
  expect(shown['usage']).toMatchObject(
    shape === 'plain' ? { estimatedCost: 0.5, currency: 'USD' } : { promptTokens: 120, completionTokens: 30 },
  );
  expect(shown['risks'].join()).not.toContain('never asked');
  const done = await supervisor.finalize(shown);
  expect(workshop.git('ls-tree', '-r', '--name-only', done['commit_hash'])).toBe('a.txt\nsrc/new.ts\nsrc/x.ts');
});

test('a Reasonix that ends without its final check comes to review with the gap as a risk', async () => {
  const readiness = { readyForReview: false, summary: 'tests were not run', risks: ['coverage unknown'] };
  const workshop = makeWorkshop({
    adapter: 'reasonix',
    script: { shape: 'reasonix-1.38', prompts: [{ steps: STEPS.slice(0, 2), phase: 'readiness_paused', readiness }] },
  });
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('gap', contract());
  expect(shown['state']).toBe('review_required');
  expect(shown['risks'].join()).toContain('tests were not run; coverage unknown');
});

test('an agent that never asks is named so, and its words stand as a claim', async () => {
  const workshop = makeWorkshop({
    script: {
      prompts: [
        {
          steps: [
            { do: 'write', path: 'src/x.ts', content: '2\n' },
            { do: 'say', text: 'I ran 1,204 tests and committed abc1234.' },
          ],
        },
      ],
    },
  });
  const supervisor = await workshop.supervisor();
  const shown = await supervisor.delegate('claims', contract());
  expect(shown['risks'].join()).toContain('never asked for permission');
  expect(shown['summary']).toMatch(/^The worker's claim, not verified: .*1,204 tests/);
  const { sections } = await supervisor.inspect('claims', { include: ['verification', 'acceptance_evidence'] });
  expect(sections).toMatchObject({
    verification: [],
    acceptance_evidence: [{ criterionId: 'looks-right', approved: false }],
  });
});

test.each(['refusal', 'max_tokens', 'max_turn_requests', 'surprise', null])(
  'work that ends with %j is judged by the tree, and the word is told',
  async (stopReason) => {
    const workshop = makeWorkshop({
      script: { prompts: [{ steps: [{ do: 'write', path: 'src/x.ts', content: '2\n' }], stopReason }] },
    });
    const supervisor = await workshop.supervisor();
    const shown = await supervisor.delegate('ends', contract());
    expect(shown).toMatchObject({ state: 'review_required', changed_files: ['src/x.ts'] });
    expect(shown['risks'].join()).toContain(`"${stopReason ?? 'none'}"`);
  },
);
