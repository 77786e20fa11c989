import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { startServer, type Wire } from './fixtures/connect.ts';
import { LineBuffer, MAX_LINE_BYTES } from './line-buffer.ts';
import { LineTransport } from './line-transport.ts';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { experimental: { 'codex/auth-change': {} }, elicitation: { form: {}, url: {} } },
    clientInfo: { name: 'codex-mcp-client', title: 'Codex', version: '0.171.0' },
  },
};

function send({ toServer }: Wire, ...messages: (object | string)[]): void {
  for (const message of messages)
    toServer.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
}

// biome-ignore lint/suspicious/noExplicitAny: a raw frame is whatever the wire brings
async function answers({ written }: Wire, count: number): Promise<any[]> {
  await vi.waitFor(() => expect(written.length).toBeGreaterThanOrEqual(count), { timeout: 20_000 });
  return written.map((line) => JSON.parse(line));
}

describe('raw frames', () => {
  test("Codex's handshake and a call with its sandbox state are answered in order", async () => {
    const wire = startServer();
    const meta = { progressToken: 1, callId: 'c', 'codex/sandbox-state-meta': { sandboxCwd: 'file:///home/me/repo' } };
    send(
      wire,
      INITIALIZE,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'reasonix_inspect', arguments: { task_id: 'authority' }, _meta: meta },
      },
    );
    const [initialized, listed, called] = await answers(wire, 3);
    expect(initialized.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'remit' } });
    expect(listed.result.tools).toHaveLength(3);
    expect(JSON.parse(called.result.structuredContent.sections.status.reason).meta).toMatchObject(meta);
  });

  test('what is no message is answered, and the next message is served', async () => {
    const wire = startServer();
    send(
      wire,
      '{"jsonrpc":',
      '',
      '[{"jsonrpc":"2.0","id":3,"method":"ping"}]',
      { jsonrpc: '1.0', id: 'four', method: 'ping' },
      INITIALIZE,
    );
    const replies = await answers(wire, 4);
    expect(replies.slice(0, 3).map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32_700],
      [null, -32_600],
      ['four', -32_600],
    ]);
    expect(replies[3].result).toBeDefined();
  });

  test('a line over the limit is refused under its own id, wherever that stands, and the next one is served', async () => {
    const wire = startServer();
    const filler = 'x'.repeat(MAX_LINE_BYTES);
    send(wire, INITIALIZE);
    await answers(wire, 1);
    send(
      wire,
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${filler}"}}`,
      `{"method":"tools/call","params":{"name":"${filler}"},"jsonrpc":"2.0","id":"eight"}`,
      `{"params":{"id":1,"x":"${filler}","id":2}}`,
      { jsonrpc: '2.0', id: 9, method: 'ping' },
    );
    const replies = await answers(wire, 5);
    expect(replies.slice(1).map(({ id, error }) => [id, error?.code])).toEqual([
      [7, -32_600],
      ['eight', -32_600],
      [null, -32_600],
      [9, undefined],
    ]);
  });

  test('a contract of two megabytes is an invalid contract, in a short answer', async () => {
    const wire = startServer();
    const contract = { schema_version: 1, objective: 'x'.repeat(2_000_000) };
    send(wire, INITIALIZE, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'reasonix_delegate', arguments: { task_id: 't', contract } },
    });
    const [, { result }] = await answers(wire, 2);
    expect(JSON.parse(result.content[0].text).error.code).toBe('invalid_contract');
    expect(JSON.stringify(result).length).toBeLessThan(4_000);
  });

  test('arguments nested a hundred thousand deep are a refusal, not the end of the server', async () => {
    const wire = startServer();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const call = (id: number, args: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"reasonix_delegate","arguments":${args}}}`;
    send(wire, INITIALIZE, call(1, `{"task_id":"t","contract":${deep}}`), call(2, `{"task_id":"t","extra":${deep}}`), {
      jsonrpc: '2.0',
      id: 3,
      method: 'ping',
    });
    const replies = await answers(wire, 4);
    expect(replies.map(({ id }) => id).toSorted()).toEqual([0, 1, 2, 3]);
    for (const { result } of replies.filter(({ id }) => id === 1 || id === 2)) {
      expect(JSON.parse(result.content[0].text).error.code).toBe('invalid_contract');
    }
  });
});

describe('a line buffer', () => {
  test('yields the same lines however the bytes are cut', () => {
    const bytes = Buffer.from('{"a":"é😀"}\n\n{"b":2}\r\nrest');
    for (let size = 1; size <= bytes.length; size += 1) {
      const buffer = new LineBuffer();
      const lines = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => [
        ...buffer.add(bytes.subarray(n * size, (n + 1) * size)),
      ]).flat();
      expect(lines.map((line) => line.kind === 'line' && line.text)).toEqual(['{"a":"é😀"}', '', '{"b":2}\r']);
    }
  });

  test('holds two ends of an endless line, not the line', () => {
    const buffer = new LineBuffer();
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let megabytes = 0; megabytes < 256; megabytes += 1) expect([...buffer.add(chunk)]).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    expect([...buffer.add(Buffer.from('\n'))]).toEqual([{ kind: 'too_long', id: null }]);
  });
});

describe('a client that asks and never reads', () => {
  test('is not read any further while too much is unsent, and is when it has read', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = new LineTransport(input, output);
    await transport.start();
    const large = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(1024 * 1024) } } as const;
    for (let megabytes = 0; megabytes < 15; megabytes += 1) await transport.send(large);
    expect(input.isPaused()).toBe(false);
    for (let megabytes = 0; megabytes < 3; megabytes += 1) await transport.send(large);
    expect(input.isPaused()).toBe(true);
    output.resume();
    await vi.waitFor(() => expect(input.isPaused()).toBe(false));
    await transport.close();
  });
});

describe('the end of a stream', () => {
  test.each(['end', 'destroy'] as const)('closes when the input is over by %s', async (how) => {
    const input = new PassThrough();
    const transport = new LineTransport(input, new PassThrough());
    await transport.start();
    input[how]();
    await transport.closed;
  });

  test('closes when nobody reads the output any more', async () => {
    const output = new PassThrough();
    const transport = new LineTransport(new PassThrough(), output);
    await transport.start();
    output.destroy(new Error('EPIPE'));
    await transport.closed;
  });
});
