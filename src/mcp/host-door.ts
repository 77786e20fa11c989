import type { Operations } from '../app/index.ts';
import { type Log, redactDeep } from '../base/index.ts';

/** What opening the host yields. */
export interface OpenedHost {
  readonly operations: Operations;
  readonly log: Log;
  close(): Promise<void>;
}

/** The host, opened once; a failed opening is tried again at the next call, since an operator may have mended it. */
export class HostDoor {
  readonly #open: () => Promise<OpenedHost>;
  #opening: Promise<OpenedHost> | undefined;
  #opened: OpenedHost | undefined;

  constructor(open: () => Promise<OpenedHost>) {
    this.#open = open;
  }

  async operations(): Promise<Operations> {
    this.#opening ??= this.#open();
    try {
      this.#opened = await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
    return this.#opened.operations;
  }

  /** The host's log; what cannot go there yet and matters goes to standard error. */
  readonly log: Log = (level, message, facts) => {
    if (this.#opened !== undefined) this.#opened.log(level, message, facts);
    else if (level === 'warn' || level === 'error') {
      process.stderr.write(`remit: ${level}: ${message} ${JSON.stringify(redactDeep(facts ?? {}))}\n`);
    }
  };

  /** Closes what was opened, also when it is still opening. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.close();
  }
}
