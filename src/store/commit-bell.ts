import { closeSync, fchmodSync, futimesSync, openSync, watch } from 'node:fs';

/**
 * Rings for every process that shares the database once a commit can be read. Its own log tells too early: it is written
 * before the commit counts. So whoever committed touches an empty file beside it, and the system tells who watches that.
 */
export class CommitBell {
  readonly #path: string;
  readonly #descriptor: number;

  constructor(databaseFile: string) {
    this.#path = `${databaseFile}-bell`;
    this.#descriptor = openSync(this.#path, 'a', 0o600);
    fchmodSync(this.#descriptor, 0o600);
  }

  /** The commit stands whether it is heard or not, so a disk that refuses this is no failure of it. */
  ring(): void {
    const now = Date.now() / 1000;
    try {
      futimesSync(this.#descriptor, now, now);
    } catch {
      // Waiters see the change at their next look.
    }
  }

  /** Calls back soon after any process rang, this one included. The answer ends it. */
  listen(listener: () => void): () => void {
    let isDue = false;
    let isOver = false;
    const watcher = watch(this.#path, { persistent: false }, () => {
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        if (!isOver) listener();
      });
    });
    return () => {
      isOver = true;
      watcher.close();
    };
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
