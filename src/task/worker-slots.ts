interface Holder {
  readonly taskId: string;
  /** Present while the worker is idle and may be put to rest for somebody else. */
  rest?: () => Promise<void>;
}

/** At most `limit` living workers in this process; who comes next waits in order. An idle worker makes room. */
export class WorkerSlots {
  readonly #limit: number;
  readonly #holders = new Map<string, Holder>();
  readonly #queue: { taskId: string; admit: () => void; signal: AbortSignal }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when the task may start a worker; rejects with the signal's reason when it no longer wants to. */
  async acquire(taskId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const holder = this.#holders.get(taskId);
    if (holder) {
      delete holder.rest;
      return;
    }
    if (this.#holders.size < this.#limit) {
      this.#holders.set(taskId, { taskId });
      return;
    }
    const admitted = this.#enqueue(taskId, signal);
    void this.#restOneIdle();
    await admitted;
  }

  /** Says that the task's worker is idle: `rest` ends it if another task needs the place. */
  idle(taskId: string, rest: () => Promise<void>): void {
    const holder = this.#holders.get(taskId);
    if (!holder) return;
    holder.rest = rest;
    if (this.#queue.length > 0) void this.#restOneIdle();
  }

  release(taskId: string): void {
    if (!this.#holders.delete(taskId)) return;
    const next = this.#queue.shift();
    if (!next) return;
    this.#holders.set(next.taskId, { taskId: next.taskId });
    next.admit();
  }

  #enqueue(taskId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        const at = this.#queue.findIndex((waiting) => waiting.taskId === taskId);
        if (at >= 0) this.#queue.splice(at, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      const admit = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#queue.push({ taskId, admit, signal });
    });
  }

  async #restOneIdle(): Promise<void> {
    const idle = [...this.#holders.values()].find((holder) => holder.rest);
    if (!idle?.rest) return;
    const rest = idle.rest;
    delete idle.rest;
    await rest();
  }
}
