import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redact } from '../base/index.ts';
import { OutputCapture } from '../process/index.ts';

/** How much of one command's output is kept, in bytes; all of it is counted and digested. */
const KEPT_BYTES = 1024 * 1024;

/** How much of a failed command's output goes into the error, in characters. */
const TAIL_CHARACTERS = 2_000;

export interface WrittenLog {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly tail: string;
}

/** Both streams of one command in the order in which they came. */
export class CommandLog {
  readonly #capture = new OutputCapture(KEPT_BYTES);

  add(chunk: Buffer): void {
    this.#capture.add(chunk);
  }

  /** Writes what was kept, without credentials; the digest is over what the command wrote. */
  async write(directory: string, name: string): Promise<WrittenLog> {
    const output = this.#capture.finish();
    const text = redact(output.bytes.toString('utf8'));
    const path = join(directory, name);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    return { path, sha256: output.sha256, bytes: output.totalBytes, tail: text.slice(-TAIL_CHARACTERS) };
  }
}
