import { EXIT } from './exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A person who leaves, by Ctrl-C or by closing the terminal: the first time the session ends in good order and the task goes
 * on, the second time this process ends at once.
 */
export class Detach implements Disposable {
  readonly #abort = new AbortController();
  readonly #onSignal = () => this.ask();

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    // A terminal that was closed takes nothing more; that must not be told as a failure of ours.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isAsked(): boolean {
    return this.#abort.signal.aborted;
  }

  /** What a signal does; a prompt reads Ctrl-C as a key and says so here. */
  ask(): void {
    if (this.isAsked) process.exit(EXIT.interrupted);
    this.#abort.abort();
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }
}
