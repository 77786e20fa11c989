import { visibleLine } from '../base/index.ts';

/** Prints an answer. A reader that goes away early (`remit … | head -1`) is not an error. */
export function print(text: string): void {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', ignoreClosedReader);
  process.stdout.write(`${text}\n`);
}

/** One line on standard error, for the person at the shell. */
export function remarkOn(text: string): void {
  process.stderr.write(`remit: ${visibleLine(text)}\n`);
}

function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
