import { type Problem, problem } from './problem.ts';

/** Most bytes that the canonical text of a contract may have: 1 MiB. */
const MAX_CONTRACT_BYTES = 1024 * 1024;

export function sizeProblem(bytes: number): Problem | undefined {
  if (bytes <= MAX_CONTRACT_BYTES) return undefined;
  return problem(
    '',
    `is larger than ${MAX_CONTRACT_BYTES} bytes`,
    'Split the task, or name files in verified_context instead of quoting them.',
  );
}

/**
 * The least that a value takes as JSON, counted no further than just over the limit and without recursion, so that neither
 * a huge nor a deeply nested input costs anything.
 */
export function leastJsonBytes(input: unknown): number {
  let bytes = 0;
  const waiting: unknown[] = [input];
  while (waiting.length > 0 && bytes <= MAX_CONTRACT_BYTES) {
    const value = waiting.pop();
    bytes += 1;
    if (typeof value === 'string') bytes += Buffer.byteLength(value) + 1;
    else if (typeof value === 'object' && value !== null) {
      const keys = Array.isArray(value) ? [] : Object.keys(value);
      for (const key of keys) bytes += Buffer.byteLength(key) + 3;
      if (bytes + Object.keys(value).length > MAX_CONTRACT_BYTES) return MAX_CONTRACT_BYTES + 1;
      for (const child of Object.values(value)) waiting.push(child);
    }
  }
  return bytes;
}
