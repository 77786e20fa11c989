import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

/** One JSON-RPC message; real agents send a few MiB at most. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** Text on stdout that is no protocol (a stack trace, a banner) is tolerated up to here. */
const MAX_NOISE_BYTES = 1024 * 1024;
/** Requests of the agent that the host has not answered yet; a few are normal. */
const MAX_UNANSWERED = 256;

/** The worker broke the protocol in a way that ends the session; the message is for the supervisor. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

export interface MessageListener {
  /** Called in the order of the wire, before a later response is delivered. */
  onNotification(method: string, params: unknown): void;
  /** A line on stdout that is not JSON. */
  onNoise(line: string): void;
}

/**
 * The worker's standard streams as ACP messages, one JSON text a line. Unlike the library's own stream it holds at most
 * one message at a time (the pipe is the backpressure), bounds what may be outstanding in either direction, keeps
 * notifications in order with responses, and does not answer a stack trace on stdout with protocol errors. Lines are
 * split at the byte 0x0A alone, so U+2028 inside a string is data.
 */
export function openMessageStream(stdin: Writable, stdout: Readable, listener: MessageListener): Stream {
  const ledger = new RequestLedger();
  const messages = readMessages(stdout, listener, ledger);
  return {
    readable: new ReadableStream<AnyMessage>(
      {
        async pull(controller) {
          const next = await messages.next();
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        },
        async cancel() {
          stdout.destroy();
        },
      },
      { highWaterMark: 0 },
    ),
    writable: new WritableStream<AnyMessage>({
      write(message) {
        ledger.sent(message);
        return writeLine(stdin, JSON.stringify(message));
      },
    }),
  };
}

/** Which requests are open in which direction; so an unasked response and a flood of requests are noticed. */
class RequestLedger {
  readonly #asked = new Set<unknown>();
  #unanswered = 0;

  sent(message: AnyMessage): void {
    if ('method' in message) {
      if ('id' in message) this.#asked.add(message.id);
    } else {
      this.#unanswered -= 1;
    }
  }

  requested(): void {
    this.#unanswered += 1;
    if (this.#unanswered <= MAX_UNANSWERED) return;
    throw new ProtocolViolation(`the worker has more than ${MAX_UNANSWERED} requests open at once`);
  }

  wasAsked(id: unknown): boolean {
    return this.#asked.delete(id);
  }
}

async function* readMessages(
  stdout: Readable,
  listener: MessageListener,
  ledger: RequestLedger,
): AsyncGenerator<AnyMessage, void, undefined> {
  let noiseBytes = 0;
  for await (const line of readLines(stdout)) {
    const message = parseMessage(line);
    if (message === undefined) {
      noiseBytes += line.length;
      if (noiseBytes > MAX_NOISE_BYTES) {
        throw new ProtocolViolation(`the worker wrote more than ${MAX_NOISE_BYTES} bytes to stdout that are not ACP`);
      }
      const text = line.toString('utf8', 0, 2_000).trim();
      if (text !== '') listener.onNoise(text);
    } else if (typeof message['method'] !== 'string') {
      if (ledger.wasAsked(message['id'])) yield message as unknown as AnyMessage;
    } else if (message['id'] === undefined) {
      listener.onNotification(message['method'], message['params']);
    } else {
      ledger.requested();
      yield message as unknown as AnyMessage;
    }
  }
}

function parseMessage(line: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    const isMessage = typeof value === 'object' && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === '2.0';
    return isMessage ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function* readLines(stdout: Readable): AsyncGenerator<Buffer, void, undefined> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      pieces.push(chunk.subarray(start, end));
      yield pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces = [];
      size = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    pieces.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_MESSAGE_BYTES)
      throw new ProtocolViolation(`the worker sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** Waits until the pipe has taken the line, so that a worker that does not read makes the host wait, not grow. */
function writeLine(stdin: Writable, text: string): Promise<void> {
  if (!stdin.writable) return Promise.reject(new Error('the worker no longer reads its input'));
  if (stdin.write(`${text}\n`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const drained = () => {
      stdin.off('close', closed);
      resolve();
    };
    const closed = () => {
      stdin.off('drain', drained);
      reject(new Error('the worker no longer reads its input'));
    };
    stdin.once('drain', drained);
    stdin.once('close', closed);
  });
}
