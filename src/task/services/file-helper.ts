import { createInterface } from 'node:readline';
import type { Log } from '../../base/index.ts';
import { type RunningProcess, type StartOptions, startProcess } from '../../process/index.ts';
import { type FileAnswer, type FileOrder, fileAnswerSchema } from '../../protocol/index.ts';

/** What a caller orders; the number is the helper's own matter. */
export type Order = FileOrder extends infer One ? (One extends FileOrder ? Omit<One, 'id'> : never) : never;

/** `lost`: nobody knows whether it was done. */
export type HelperAnswer = FileAnswer | { readonly kind: 'lost' };

const LIMIT_MS = 30_000;
const STOP_MS = 500;

/**
 * The program that reads and changes files from inside the worker's mounts: started at the first order, and again when it died.
 * Whether an order that it did not answer was done is found by looking.
 */
export class FileHelper {
  readonly #launch: () => Promise<StartOptions>;
  readonly #log: Log;
  #running: Promise<Running> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #id = 0;

  constructor(launch: () => Promise<StartOptions>, log: Log) {
    this.#launch = launch;
    this.#log = log;
  }

  /** One at a time. Rejects only when the box cannot be made. */
  async ask(order: Order): Promise<HelperAnswer> {
    const answer = this.#last.then(() => this.#ask(order));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await (await running?.catch(() => undefined))?.process.stop(STOP_MS);
  }

  async #ask(order: Order): Promise<HelperAnswer> {
    this.#id += 1;
    const id = this.#id;
    this.#running ??= this.#launch().then((options) => new Running(options));
    const running = await this.#running.catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    const answer = await running.ask({ id, ...order } as FileOrder);
    if (answer !== undefined) return answer;
    this.#log('warn', 'the file helper of a task died or did not answer', { op: order.op, stderr: running.words });
    await this.stop();
    return { kind: 'lost' };
  }
}

class Running {
  readonly process: RunningProcess;
  words = '';
  readonly #waiting = new Map<number, (answer: FileAnswer | undefined) => void>();

  constructor(options: StartOptions) {
    this.process = startProcess(options);
    this.process.stdin.on('error', () => {});
    this.process.stderr.on('data', (chunk: Buffer) => {
      this.words = `${this.words}${chunk.toString('utf8')}`.slice(-2_000);
    });
    createInterface({ input: this.process.stdout }).on('line', (line) => this.#take(line));
    void this.process.exited.then(() => {
      for (const answer of this.#waiting.values()) answer(undefined);
    });
  }

  /** `undefined`: it is gone, or silent for too long. */
  ask(order: FileOrder): Promise<FileAnswer | undefined> {
    return new Promise((resolve) => {
      const settle = (answer: FileAnswer | undefined) => {
        clearTimeout(timer);
        this.#waiting.delete(order.id);
        resolve(answer);
      };
      const timer = setTimeout(() => settle(undefined), LIMIT_MS);
      this.#waiting.set(order.id, settle);
      this.process.stdin.write(`${JSON.stringify(order)}\n`);
    });
  }

  #take(line: string): void {
    const answer = fileAnswerSchema.safeParse(jsonOf(line));
    if (answer.success) this.#waiting.get(answer.data.id)?.(answer.data);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
