import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test, vi } from 'vitest';
import { OPERATIONS } from '../app/index.ts';
import { connect, ERAS } from './fixtures/connect.ts';

const CODEX_STATE = { 'codex/sandbox-state-meta': { sandboxCwd: 'file:///home/me/repo' } };
const eras = Object.entries(ERAS);

async function inspect(client: Client, taskId: string, meta?: Record<string, unknown>) {
  return client.callTool({ name: 'reasonix_inspect', arguments: { task_id: taskId }, ...(meta && { _meta: meta }) });
}

function textOf(result: { content: unknown }): string {
  const [first] = result.content as { text: string }[];
  return first?.text ?? '';
}

/** What the operation learned of the caller's authority. */
function authorityOf(result: unknown): { meta?: Record<string, unknown>; roots?: string[] } {
  const { structuredContent } = result as { structuredContent: { sections: { status: { reason: string } } } };
  return JSON.parse(structuredContent.sections.status.reason);
}

describe.each(eras)('a client of %s', (era, options) => {
  test('sees every tool, the instructions and the capability for the sandbox state', async () => {
    const { client } = await connect(options);
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(OPERATIONS.map(({ name }) => name));
    expect(client.getInstructions()).toContain('reasonix_delegate');
    expect(client.getServerCapabilities()?.experimental).toEqual({ 'codex/sandbox-state-meta': {} });
  });

  test('gets a success as structure and as the same text', async () => {
    const { client } = await connect(options);
    await client.listTools();
    const result = await inspect(client, 'any');
    expect(result.isError).toBeFalsy();
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  });

  test('gets a refusal as text that a program can read, without structure', async () => {
    const { client } = await connect(options);
    await client.listTools();
    const result = await inspect(client, 'conflict');
    expect(result).toMatchObject({ isError: true });
    expect(result.structuredContent).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual({
      error: {
        code: 'task_conflict',
        message: 'Task conflict exists with another contract.',
        retryable: false,
        next_action: 'create_new_task',
        details: { differences: ['contract'] },
      },
    });
  });

  test('learns of wrong arguments all at once', async () => {
    const { client } = await connect(options);
    const result = await client.callTool({
      name: 'reasonix_control',
      arguments: { task_id: 'a', action: 'steer', wait: 1 },
    });
    expect(JSON.parse(textOf(result)).error).toMatchObject({
      code: 'invalid_request',
      details: { problems: [{ path: 'wait' }] },
    });
  });

  test('states its roots when it has any', async () => {
    const { client } = await connect({ ...options, capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', () => ({
      roots: [{ uri: 'file:///home/me/repo' }, { uri: 'file:///two', name: 'two' }],
    }));
    expect(authorityOf(await inspect(client, 'authority')).roots).toEqual(['file:///home/me/repo', 'file:///two']);
  });

  test('without roots is not asked, and the operation runs', async () => {
    const { client, written } = await connect(options);
    expect(authorityOf(await inspect(client, 'authority')).roots).toBeUndefined();
    expect(written.join('\n')).not.toContain('roots/list');
  });

  test('that states its sandbox is not asked for roots, and the state reaches the operation', async () => {
    const { client, written } = await connect({ ...options, capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    expect(authorityOf(await inspect(client, 'authority', CODEX_STATE)).meta).toMatchObject(CODEX_STATE);
    expect(written.join('\n')).not.toContain('roots/list');
  });

  test('that cancels ends its wait, and the server goes on', async () => {
    const { client, host } = await connect(options);
    const abort = new AbortController();
    const held = client.callTool(
      { name: 'reasonix_inspect', arguments: { task_id: 'hold' } },
      { signal: abort.signal },
    );
    await vi.waitFor(() => expect(host.calls).toHaveLength(1));
    abort.abort('enough');
    await expect(held).rejects.toThrow();
    await vi.waitFor(() => expect(host.letGo).toHaveLength(1));
    expect((await inspect(client, 'any')).isError).toBeFalsy();
  });

  test('hears of progress at least every 15 seconds, rising, and only when it asked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { client, host } = await connect(options);
      const heard: number[] = [];
      const abort = new AbortController();
      const held = client.callTool(
        { name: 'reasonix_inspect', arguments: { task_id: 'hold' } },
        { signal: abort.signal, onprogress: ({ progress }) => heard.push(progress) },
      );
      await vi.waitFor(() => expect(host.calls).toHaveLength(1));
      expect(host.calls[0]?.progress.requested).toBe(true);
      for (let seconds = 15; seconds <= 60; seconds += 15) {
        vi.advanceTimersByTime(15_000);
        await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(seconds / 15));
      }
      expect(heard).toEqual(heard.toSorted((a, b) => a - b));
      expect(new Set(heard).size).toBe(heard.length);
      abort.abort();
      await expect(held).rejects.toThrow();
    } finally {
      vi.useRealTimers();
    }
  });

  test('that sent no token hears of no progress', async () => {
    const { client, host, written } = await connect(options);
    await inspect(client, 'any');
    expect(host.calls[0]?.progress.requested).toBe(false);
    host.calls[0]?.progress.report('news');
    expect(written.join('\n')).not.toContain('notifications/progress');
  });
});

describe('news of an operation', () => {
  test('goes out at once when it is the first, else with the next beat, and not after the answer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const { client, host } = await connect({});
      const heard: (string | undefined)[] = [];
      const abort = new AbortController();
      const held = client.callTool(
        { name: 'reasonix_inspect', arguments: { task_id: 'hold' } },
        { signal: abort.signal, onprogress: ({ message }) => heard.push(message) },
      );
      await vi.waitFor(() => expect(host.calls).toHaveLength(1));
      const progress = host.calls[0]?.progress;
      for (const news of ['one', 'two', 'running: line\u202e']) progress?.report(news);
      await vi.waitFor(() => expect(heard).toEqual(['one']));
      vi.advanceTimersByTime(15_000);
      await vi.waitFor(() => expect(heard).toEqual(['one', 'running: line\\u{202E}']));
      abort.abort();
      await expect(held).rejects.toThrow();
      progress?.report('too late');
      expect(heard).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('what went wrong inside', () => {
  test('is told by an id that is also in the log, without stack or path', async () => {
    const { client, host } = await connect({});
    const { error } = JSON.parse(textOf(await inspect(client, 'throws')));
    expect(error).toMatchObject({ code: 'internal_error', retryable: false, next_action: 'none' });
    expect(JSON.stringify(error)).not.toMatch(/secret-place|\bat \w+ \(/);
    const logged = host.lines.find(({ facts }) => facts?.['error_id'] === error.details.error_id);
    expect(logged?.facts?.['error']).toContain('secret-place');
    expect(error.message).toContain(error.details.error_id);
  });

  test('an unknown tool is an error of the protocol that names the known ones', async () => {
    const { client } = await connect({});
    await expect(client.callTool({ name: 'reasonix_merge', arguments: {} })).rejects.toThrow(
      /Unknown tool.*reasonix_delegate/,
    );
  });
});

describe('every answer', () => {
  test('is bounded, also a refusal with endless details', async () => {
    const { client } = await connect({});
    const { error } = JSON.parse(textOf(await inspect(client, 'large-refusal')));
    expect(JSON.stringify(error).length).toBeLessThan(65_536);
    expect(error.details.shortened).toBe(true);
    expect(error.details.problems.length).toBeGreaterThan(100);
  });

  test('is well-formed Unicode, whatever a name in the repository holds', async () => {
    const { client, written } = await connect({});
    const result = await inspect(client, 'surrogate');
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(JSON.stringify(result.structuredContent)).toContain('caf\\\\xE9');
    expect(written.join('\n')).not.toMatch(/\\ud[89a-f]/);
  });

  test('reaches Gemini as a sentence, since it validates the text of an error against the output schema', async () => {
    const { client } = await connect({}, 'gemini-cli-mcp-client');
    const text = textOf(await inspect(client, 'conflict'));
    expect(() => JSON.parse(text)).toThrow();
    expect(text).toMatch(
      /^Error task_conflict \(not retryable, next action: create_new_task\): Task conflict.*Details: \{"differences":\["contract"\]\}$/,
    );
  });
});

describe('a client whose roots cannot be had', () => {
  test('that answers with an error gets a normal result and is not asked again until its roots change', async () => {
    const { client } = await connect({ capabilities: { roots: { listChanged: true } } });
    let asked = 0;
    client.setRequestHandler('roots/list', () => {
      asked += 1;
      if (asked === 1) throw new Error('declined');
      return { roots: [{ uri: 'file:///late' }] };
    });
    expect(authorityOf(await inspect(client, 'authority')).roots).toBeUndefined();
    expect(authorityOf(await inspect(client, 'authority')).roots).toBeUndefined();
    expect(asked).toBe(1);
    await client.sendRootsListChanged();
    expect(authorityOf(await inspect(client, 'authority')).roots).toEqual(['file:///late']);
  });

  test('that never answers gets a normal result too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { client, written } = await connect({ capabilities: { roots: {} } });
      client.setRequestHandler('roots/list', () => new Promise(() => {}));
      const answer = inspect(client, 'authority');
      for (let turn = 0; turn < 1_000 && !written.join('\n').includes('roots/list'); turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(6_000);
      expect(authorityOf(await answer).roots).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});
