import { DatabaseSync } from 'node:sqlite';
import { SessionUnusable } from './session-unusable.ts';

/**
 * Takes a session for this process. SQLite's exclusive lock is the system's own: it ends with the process, however that ends,
 * and Node has no other such lock.
 */
export function lockSession(path: string): { release(): void } {
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (/locked|busy/i.test(String(error)))
      throw new SessionUnusable('This session is open elsewhere: close it there first, or begin a new session.');
    throw error;
  }
  return { release: () => lock.close() };
}
