import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { isErrorCode, RemitError } from '../../base/index.ts';
import { type Activity, activitySchema } from '../../task/index.ts';
import { OWNER_PATHS } from './owner-server.ts';

/** The owner cannot be reached, or went away before it answered: what became of the question, nobody knows. */
export class OwnerGone extends Error {}

const answerSchema = z.union([
  z.object({ result: z.unknown() }),
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
]);

/** Asks the process behind a socket and gives its answer, or throws the refusal that it gave. Throws `OwnerGone`. */
export async function askOwner(socketPath: string, path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
  const answer = answerSchema.parse(JSON.parse(await post(socketPath, path, JSON.stringify(body), signal)));
  if (!('error' in answer)) return answer.result;
  const { code, message, retryable, details } = answer.error;
  throw new RemitError(isErrorCode(code) ? code : 'internal_error', message, {
    retryable,
    ...(details && { details }),
  });
}

function post(socketPath: string, path: string, body: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const lost = (error: Error) => reject(new OwnerGone(error.message, { cause: error }));
    const asking = request({ socketPath, path, method: 'POST', agent: false, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', lost);
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
    asking.on('error', lost);
    asking.end(body);
  });
}

export interface OpenFeed {
  /** Settles, never rejects, when the owner went away, could not be reached, or `close` was called. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Hears what goes on in a task of another process, as long as that lives. What cannot be read is passed over. */
export function openFeed(socketPath: string, taskId: string, listener: (activity: Activity) => void): OpenFeed {
  const { promise, resolve } = Promise.withResolvers<void>();
  const path = `${OWNER_PATHS.feed}?task_id=${encodeURIComponent(taskId)}`;
  const asking = request({ socketPath, path, agent: false }, (response) => {
    const lines = createInterface({ input: response, crlfDelay: Infinity });
    lines.on('line', (line) => {
      const activity = activitySchema.safeParse(parseJson(line));
      if (activity.success) listener(activity.data);
    });
    // A feed that is cut off ends; both streams say so, and either would end this process if nobody listened.
    for (const stream of [response, lines]) stream.on('error', () => resolve());
    response.on('close', () => resolve());
  });
  asking.on('error', () => resolve());
  asking.on('close', () => resolve());
  asking.end();
  return { ended: promise, close: () => void asking.destroy() };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
