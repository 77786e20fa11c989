/**
 * Reads and changes files for the host, from inside the mounts of a worker: what the worker could not do, this cannot either.
 * One JSON line in, one out, in order, until its input ends. Started with the folder as its only argument.
 */
import { createInterface } from 'node:readline';
import { type FileAnswer, type FileOrder, fileOrderSchema } from '../../protocol/index.ts';
import { localFiles } from '../place/local-files.ts';
import type { PlaceFiles } from '../place/place.ts';

const files = localFiles(process.argv[2] ?? '');
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answerTo(line))}\n`);
}

async function answerTo(line: string): Promise<FileAnswer> {
  const order = fileOrderSchema.parse(JSON.parse(line));
  const { id } = order;
  try {
    return { id, ...(await fulfil(order, files)) } as FileAnswer;
  } catch (error) {
    return { id, kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function fulfil(order: FileOrder, on: PlaceFiles) {
  switch (order.op) {
    case 'read': {
      const file = await on.peek(order.path);
      return file.kind === 'file' ? { ...file, bytes: file.bytes.toString('base64') } : file;
    }
    case 'write': {
      const { path, bytes, expected, mode } = order;
      return on.write(path, Buffer.from(bytes, 'base64'), { expected, ...(mode !== undefined && { mode }) });
    }
    case 'move':
      return on.move(order.from, order.to, { expected: order.expected });
    case 'remove':
      return on.remove(order.path, order.expected === undefined ? {} : { expected: order.expected });
  }
}
