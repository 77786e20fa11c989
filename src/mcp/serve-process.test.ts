import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ERAS } from './fixtures/connect.ts';

const CHILD = fileURLToPath(new URL('./fixtures/serving-child.ts', import.meta.url));
const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

interface Serving {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

function start(...args: string[]): Serving {
  const child = spawn(process.execPath, [CHILD, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (texts.stdout += chunk));
  child.stderr.on('data', (chunk) => (texts.stderr += chunk));
  child.stdin.on('error', () => {});
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr };
}

function write({ child }: Serving, ...messages: object[]): void {
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
}

function inspecting(id: number, taskId: string): object {
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'reasonix_inspect', arguments: { task_id: taskId } },
  };
}

async function answered(serving: Serving, lines: number): Promise<void> {
  await vi.waitFor(() => expect(serving.stdout().split('\n').length).toBeGreaterThan(lines), { timeout: 20_000 });
}

/** Every line of standard output is a message of the protocol. */
function messagesOf({
  stdout,
}: Serving): { id?: number; result?: { isError?: boolean; content: { text: string }[] } }[] {
  return stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('a serving process', () => {
  test.each(Object.entries(ERAS))('serves a real client of %s over its standard streams', async (_, options) => {
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [CHILD], stderr: 'ignore' }));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(3);
    expect((await client.callTool({ name: 'reasonix_inspect', arguments: { task_id: 'any' } })).isError).toBeFalsy();
  });

  test('keeps standard output for the protocol, whatever a library prints', async () => {
    const serving = start();
    write(serving, HELLO, inspecting(1, 'noise'));
    await answered(serving, 2);
    serving.child.stdin.end();
    await once(serving.child, 'close');
    expect(messagesOf(serving).map(({ id }) => id)).toEqual([0, 1]);
    expect(serving.stderr()).toMatch(/a stray line[\s\S]*another stray line[\s\S]*a warning/);
  });

  test('ends with its client: closes the host and exits with 0 when its input ends, also during a call', async () => {
    const serving = start();
    write(serving, HELLO, inspecting(1, 'hold'));
    await answered(serving, 1);
    serving.child.stdin.end();
    expect(await once(serving.child, 'close')).toEqual([0, null]);
    expect(serving.stderr()).toContain('host closed');
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('closes the host and exits with 0 at %s', async (signal) => {
    const serving = start();
    write(serving, HELLO);
    await answered(serving, 1);
    serving.child.kill(signal);
    expect(await once(serving.child, 'close')).toEqual([0, null]);
    expect(serving.stderr()).toContain('host closed');
  });

  test('ends when its parent was killed', async () => {
    const script = `const c = require('node:child_process').spawn(process.execPath, [${JSON.stringify(CHILD)}], { stdio: ['pipe', 'ignore', 'inherit'] }); c.stdin.write(${JSON.stringify(`${JSON.stringify(HELLO)}\n`)}); setInterval(() => {}, 1000); console.log(c.pid);`;
    const parent = spawn(process.execPath, ['-e', script]);
    onTestFinished(() => void parent.kill('SIGKILL'));
    let stderr = '';
    parent.stderr.on('data', (chunk) => (stderr += chunk));
    await once(parent.stdout, 'data');
    parent.kill('SIGKILL');
    await once(parent.stderr, 'close');
    expect(stderr).toContain('host closed');
  });

  test('after an exception that nobody caught it closes the host and exits with 1, its output still clean', async () => {
    const serving = start();
    write(serving, HELLO, inspecting(1, 'crash'));
    expect(await once(serving.child, 'close')).toEqual([1, null]);
    expect(messagesOf(serving).map(({ id }) => id)).toEqual([0]);
    expect(serving.stderr()).toMatch(/uncaught exception[\s\S]*host closed/);
  });

  test('a host that does not close is left behind at the second signal', async () => {
    const serving = start('--never-closes');
    write(serving, HELLO);
    await answered(serving, 1);
    serving.child.kill('SIGTERM');
    await vi.waitFor(() => expect(serving.stderr()).toContain('host closed'), { timeout: 20_000 });
    serving.child.kill('SIGTERM');
    expect(await once(serving.child, 'close')).toEqual([1, null]);
  });

  test('when its reader is gone it ends too', async () => {
    const serving = start();
    write(serving, HELLO);
    await answered(serving, 1);
    serving.child.stdout.destroy();
    write(serving, inspecting(1, 'any'), inspecting(2, 'any'));
    expect(await once(serving.child, 'exit')).toEqual([0, null]);
  });

  test('when the host cannot be opened the tools are listed all the same, and each call tells an id', async () => {
    const serving = start('--cannot-open');
    write(serving, HELLO, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, inspecting(2, 'any'));
    await answered(serving, 3);
    const call = messagesOf(serving).find(({ id }) => id === 2);
    const { error } = JSON.parse(call?.result?.content[0]?.text ?? '{}');
    expect(error.code).toBe('internal_error');
    expect(serving.stderr()).toContain(error.details.error_id);
    expect(serving.stderr()).toContain('the store is damaged');
  });
});
