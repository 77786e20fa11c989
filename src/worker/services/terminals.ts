import { randomUUID } from 'node:crypto';
import { RequestError } from '@agentclientprotocol/sdk';
import type { ServiceCommandEnd } from '../options.ts';

const MOST_AT_ONCE = 8;
const MOST_OF_A_TURN = 1_000;

interface Terminal {
  readonly abort: AbortController;
  readonly ended: Promise<ServiceCommandEnd>;
  end: ServiceCommandEnd | undefined;
}

/** The commands of one turn; all end with it. */
export class Terminals {
  readonly #terminals = new Map<string, Terminal>();
  #made = 0;

  /** Throws when there are too many. */
  create(run: (signal: AbortSignal) => Promise<ServiceCommandEnd>): string {
    const running = [...this.#terminals.values()].filter(({ end }) => end === undefined).length;
    if (running >= MOST_AT_ONCE || this.#made >= MOST_OF_A_TURN)
      throw RequestError.invalidRequest(
        undefined,
        `at most ${MOST_AT_ONCE} commands at once and ${MOST_OF_A_TURN} in a turn`,
      );
    this.#made += 1;
    const abort = new AbortController();
    const terminal: Terminal = { abort, end: undefined, ended: run(abort.signal) };
    terminal.ended.then(
      (end) => {
        terminal.end = end;
      },
      () => {},
    );
    const id = randomUUID();
    this.#terminals.set(id, terminal);
    return id;
  }

  /** What came of it, or `undefined` while it runs. */
  end(id: string): ServiceCommandEnd | undefined {
    return this.#get(id).end;
  }

  wait(id: string): Promise<ServiceCommandEnd> {
    return this.#get(id).ended;
  }

  kill(id: string): void {
    this.#get(id).abort.abort(new Error('ended by the worker'));
  }

  release(id: string): void {
    this.kill(id);
    this.#terminals.delete(id);
  }

  endAll(): void {
    for (const { abort } of this.#terminals.values()) abort.abort(new Error('the turn is over'));
    this.#terminals.clear();
    this.#made = 0;
  }

  #get(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (terminal === undefined) throw RequestError.invalidParams(undefined, 'there is no such terminal');
    return terminal;
  }
}
