import { RemitError } from '../base/index.ts';

const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A task's id is a folder's name and the end of a branch's: what Git or a file system could misread is refused. */
export function requireTaskId(taskId: string): void {
  if (
    TASK_ID.test(taskId) &&
    !taskId.includes('..') &&
    !taskId.toLowerCase().endsWith('.lock') &&
    !taskId.endsWith('.')
  )
    return;
  throw new RemitError(
    'invalid_request',
    `task_id ${JSON.stringify(taskId.slice(0, 80))} is not usable: 1 to 64 of A-Z a-z 0-9 . _ -, first a letter or digit, without "..", not ending in "." or ".lock".`,
  );
}
