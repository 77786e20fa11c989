import { describe, expect, test } from 'vitest';
import { readSent } from '../../scripts/bench/prefix-share.ts';
import { CONTRACT_LIMIT, contractBytes, LEAST_SHARE, sharesOf } from '../../scripts/bench/worker.ts';
import { runWorkerSession } from '../../scripts/bench/worker-session.ts';

test('the contracts of all tools are small', () => {
  expect(contractBytes()).toBeLessThan(CONTRACT_LIMIT);
});

// Needs the built worker, as `make test` prepares it.
test('a session through several prompts, guidance and a resume only ever adds to what the worker sent', async () => {
  const { requests, shares, kept, heads } = sharesOf((await runWorkerSession()).map(readSent));
  expect(requests).toBeGreaterThanOrEqual(30);
  expect(heads).toBe(1);
  expect(kept.map((part, at) => [at + 2, part]).filter(([, part]) => part !== 1)).toEqual([]);
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(LEAST_SHARE);
});

describe('what is measured', () => {
  const sent = (said: readonly string[], tool = 'read', system = 'Be brief.') => {
    const messages = [{ role: 'system', content: system }, ...said.map((content) => ({ role: 'user', content }))];
    const body = { model: 'm', messages, tools: [{ name: tool }], stream: true };
    return readSent({ body, headers: { 'content-length': String(Buffer.byteLength(JSON.stringify(body))) } });
  };

  test('counts as new only what was added at the end', () => {
    const [first, second] = [sent(['ä']), sent(['ä', 'b'])];
    const added = Buffer.byteLength(`,${JSON.stringify({ role: 'user', content: 'b' })}`);
    const bytes = Buffer.byteLength(second.head + second.said);
    expect(sharesOf([first, second, second, second])).toEqual({
      requests: 4,
      shares: [1],
      kept: [1, 1, 1],
      heads: 1,
    });
    expect(sharesOf([sent([]), sent([]), first, second]).shares).toEqual([(bytes - added) / bytes]);
  });

  test('notices an earlier message, a tool or a system text that changed', () => {
    expect(sharesOf([sent(['one', 'two']), sent(['onE', 'two', 'three'])]).kept[0]).toBeLessThan(1);
    expect(sharesOf([sent(['one']), sent(['one'], 'write')])).toMatchObject({ heads: 2 });
    expect(sharesOf([sent(['one']), sent(['one'], 'read', 'Be brief. It is noon.')])).toMatchObject({ heads: 2 });
  });

  test('is what was sent, or nothing', () => {
    expect(() => readSent({ body: { messages: [] }, headers: { 'content-length': '99' } })).toThrow('not the JSON');
  });
});
