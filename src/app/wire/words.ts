/** The small shapes that the three tools share; limits are those of `wire/tools.json`. */
import { z } from 'zod';

export const TASK_STATES = [
  'provisioning',
  'running',
  'waiting_permission',
  'waiting_input',
  'paused',
  'review_required',
  'verifying',
  'completed',
  'commit_failed',
  'failed',
  'cancelled',
  'closed',
] as const;

export const taskId = z.string().min(1).max(64);
export const taskState = z.enum(TASK_STATES);
export const workerLane = z.enum(['fast', 'deep']);
export const reasoningEffort = z.enum(['minimal', 'low', 'medium', 'high', 'max']);
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
/** Tree hashes of SHA-1 repositories have 40 digits, of SHA-256 repositories 64. */
export const treeHash = z.string().regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/);
export const commitHash = z.string().regex(/^[0-9a-f]{40,64}$/);
export const someText = z.string().min(1);
export const count = z.int().min(0);
export const executionTimeoutSeconds = z.int().min(60).max(14_400);
export const criterionId = z.string().min(1).max(64);

export function pathList(description: string) {
  return z.array(z.string().describe('A path, relative to the root of the repository.')).describe(description);
}
