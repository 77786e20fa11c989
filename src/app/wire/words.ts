/** The small shapes that the three tools share; limits are those of `wire/tools.json`. */
import { z } from 'zod';
import { TASK_STATES } from '../../task/index.ts';
import { EFFORTS, LANES } from '../../worker/index.ts';

export const taskId = z.string().min(1).max(64);
export const taskState = z.enum(TASK_STATES);
export const workerLane = z.enum(LANES);
/** `minimal` is known to older bridges alone: nobody may ask for it here. */
export const reasoningEffort = z.enum(['minimal', ...EFFORTS]);
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
/** Tree hashes of SHA-1 repositories have 40 digits, of SHA-256 repositories 64. */
export const treeHash = z.string().regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/);
export const commitHash = z.string().regex(/^[0-9a-f]{40,64}$/);
export const someText = z.string().min(1);
export const count = z.int().min(0);
export const executionTimeoutSeconds = z.int().min(60).max(14_400);
export const criterionId = z.string().min(1).max(64);
