import type { TaskRecord } from '../src/task/index.ts';

export const NOW = '2026-01-01T00:00:00.000Z';

/** A plain task in a given state, for tests. */
export function recordIn(status: TaskRecord['status']): TaskRecord {
  return {
    task_id: 't',
    contract: JSON.stringify({
      schema_version: 1,
      objective: 'o',
      user_outcome: 'u',
      write_scope: ['src/**'],
      acceptance_criteria: [{ id: 'c', requirement: 'r', evidence: 'review' }],
      verification: [],
    }),
    contract_hash: '0'.repeat(64),
    repository: { id: 'r', name: 'r', root: '/r', git_dir: '/r/.git', common_dir: '/r/.git', object_format: 'sha1' },
    base_ref: 'HEAD',
    base_commit: '0'.repeat(40),
    branch: 'remit/t',
    worktree: '/w',
    worker: 'w',
    adapter: 'acp',
    worker_lane: 'fast',
    requested_reasoning_effort: 'medium',
    execution_timeout_seconds: 600,
    network: false,
    created_at: NOW,
    updated_at: NOW,
    repair_rounds: 0,
    review_revision: 3,
    pause_revision: 1,
    prompts_begun: 1,
    standing_risks: ['standing'],
    status,
  };
}

export function runningRecord(taskId: string): TaskRecord {
  return { ...recordIn({ state: 'running', phase: 'working' }), task_id: taskId, branch: `remit/${taskId}` };
}
