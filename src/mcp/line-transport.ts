/**
 * JSON-RPC messages, one a line, over two streams. Unlike the transport of the SDK it bounds a line without ending the
 * connection, copies a long line once, and answers what is no message instead of leaving its sender waiting.
 */
import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { LineBuffer, MAX_LINE_BYTES } from './line-buffer.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** While so much is unsent nothing more is read: a client that only asks and never reads cannot fill the memory. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

type RequestId = string | number;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** Resolves when either stream has ended or this was closed. */
  readonly closed: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineBuffer();
  readonly #markClosed: () => void;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#markClosed = resolve;
  }

  async start(): Promise<void> {
    this.#output.on('error', this.#fail).on('close', this.#end).on('drain', this.#resume);
    this.#input.on('error', this.#fail).on('end', this.#end).on('close', this.#end).on('data', this.#read);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#read).pause();
    this.onclose?.();
    this.#markClosed();
  }

  readonly #read = (chunk: Buffer): void => {
    for (const line of this.#lines.add(chunk)) {
      if (this.#isClosed) return;
      if (line.kind === 'line') this.#accept(line.text);
      else this.#refuse(line.id, INVALID_REQUEST, `Message too large: a line may have ${MAX_LINE_BYTES} bytes.`);
    }
  };

  #accept(text: string): void {
    if (text.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse(null, PARSE_ERROR, 'Parse error: each line must be one JSON-RPC message.');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(
        idOf(value),
        INVALID_REQUEST,
        'Invalid request: not a JSON-RPC 2.0 message. Batches are not supported.',
      );
      return;
    }
    this.onmessage?.(message);
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.onerror?.(new Error(message));
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: unknown): void {
    if (this.#isClosed || !this.#output.writable) return;
    this.#output.write(`${JSON.stringify(message)}\n`);
    if (this.#output.writableLength > MAX_UNSENT_BYTES) this.#input.pause();
  }

  readonly #resume = (): void => {
    if (!this.#isClosed) this.#input.resume();
  };

  readonly #fail = (error: Error): void => {
    this.onerror?.(error);
    this.#end();
  };

  readonly #end = (): void => {
    void this.close();
  };
}

function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}
