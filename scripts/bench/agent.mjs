/**
 * The worker of the bench: an ACP agent without a model, in plain JavaScript so that its own start costs little. At each
 * prompt it changes the file `src/area-0/file-0.txt` and answers. `$HOME/bench-times.jsonl` gets the time of every prompt
 * and of its answer, in milliseconds since 1970 with fractions.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const CHANGED = 'src/area-0/file-0.txt';
let worktree = process.cwd();

const now = () => performance.timeOrigin + performance.now();

const METHODS = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'bench', version: '1' }, agentCapabilities: {} }),
  'session/new': ({ cwd }) => {
    worktree = cwd;
    return { sessionId: 'bench' };
  },
  'session/prompt': () => {
    const prompted = now();
    writeFileSync(join(worktree, CHANGED), `changed at ${prompted}\n`);
    appendFileSync(join(process.env.HOME, 'bench-times.jsonl'), `${JSON.stringify({ prompted, answered: now() })}\n`);
    return { stopReason: 'end_turn' };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = METHODS[method]?.(params);
  const outcome = answer === undefined ? { error: { code: -32601, message: method } } : { result: answer };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
});
