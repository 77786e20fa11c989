import { createReadStream } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { RemitError, visibleLine } from '../base/index.ts';

/** Comments and white space come on top of a contract's own limit of 1 MiB. */
const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/** The text of a file, or of standard input for '-'. Throws `invalid_request` when it cannot be read or is no UTF-8 text. */
export async function readSource(source: string): Promise<string> {
  const bytes = await readAll(source).catch((cause: unknown) => {
    if (cause instanceof RemitError) throw cause;
    const reason = reasonOf(cause);
    throw new RemitError('invalid_request', `cannot read ${nameOf(source)}: ${reason}`, { cause });
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RemitError('invalid_request', `${nameOf(source)} is not UTF-8 text`, { cause });
  }
}

/** Node's own message says the name and the call again. */
function reasonOf(cause: unknown): string {
  const { errno, message = String(cause) } = cause as { errno?: number; message?: string };
  return (errno !== undefined && getSystemErrorMap().get(errno)?.[1]) || message;
}

export function nameOf(source: string): string {
  return source === '-' ? 'standard input' : visibleLine(source);
}

async function readAll(source: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source === '-' ? process.stdin : createReadStream(source)) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > MAX_SOURCE_BYTES)
      throw new RemitError('invalid_request', `${nameOf(source)} is larger than ${MAX_SOURCE_BYTES} bytes`);
  }
  return Buffer.concat(chunks);
}
