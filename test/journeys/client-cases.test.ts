/** What clients can and cannot do: no elicitation, small budgets for a reply, and a standard output that is only protocol. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Step } from '../agents/script.ts';
import { type Meeting, RawClient } from './raw-client.ts';
import type { Answer, Supervisor } from './supervisor.ts';
import { contract, makeWorkshop, provenBy, type Workshop } from './workshop.ts';

const EDIT: Step = { do: 'write', path: 'src/x.ts', content: 'export const x = 2;\n' };

describe('an approval needs no elicitation', () => {
  const clients: [string, Record<string, unknown>, () => Meeting][] = [
    ['advertises nothing', {}, () => 'silence'],
    ['declines', { elicitation: {} }, () => ({ result: { action: 'decline' } })],
    ['knows no such method', { elicitation: {} }, () => ({ error: -32601 })],
    ['never answers', { elicitation: {}, sampling: {} }, () => 'silence'],
  ];
  test.each(clients)('of a client that %s', async (_how, capabilities, meet) => {
    const question: Step = { do: 'question', question: 'Which value?', answers: ['two', 'three'] };
    const workshop = makeWorkshop({
      adapter: 'reasonix',
      script: { shape: 'reasonix-1.38', prompts: [{ steps: [question, EDIT] }] },
    });
    const client = await RawClient.start({
      root: workshop.repository,
      environment: workshop.environment,
      capabilities,
      meet,
    });
    const delegate = { task_id: 'asks', contract: contract(), wait_timeout_seconds: 30 };
    const { structuredContent: asked } = await client.call('reasonix_delegate', delegate);
    expect(asked).toMatchObject({ state: 'waiting_input' });
    const { id, request } = asked.active_interaction;
    const answer = { interaction_id: id, decision: 'allow', option_id: request.options[0].id };
    await client.call('reasonix_control', { task_id: 'asks', action: 'respond', ...answer });
    const { structuredContent: shown } = await client.call('reasonix_delegate', delegate);
    const { structuredContent: done, content } = await client.call('reasonix_control', {
      task_id: 'asks',
      action: 'finalize',
      review_summary: 'Read',
      approved_review_criteria: shown.required_review_criteria,
      expected_review_revision: shown.review_revision,
      expected_review_tree_hash: shown.review_tree_hash,
    });
    expect(done).toMatchObject({ state: 'completed' });
    expect(JSON.parse(content[0].text)).toEqual(done);
    expect(client.asked).toEqual([]);
  });
});

/** Every page of an inspection; `next` brings the supervisor that reads the following one. */
async function allPages(
  taskId: string,
  include: string[],
  next: () => Promise<Supervisor>,
): Promise<Record<string, Answer[]>> {
  const sections: Record<string, Answer[]> = {};
  let cursor: string | undefined;
  for (let page = 0; page < 50; page += 1) {
    const supervisor = await next();
    const answer = await supervisor.inspect(taskId, { max_bytes: 16_384, ...(cursor ? { cursor } : { include }) });
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(16_384);
    for (const [name, part] of Object.entries(answer['sections']))
      sections[name] = [...(sections[name] ?? []), part as Answer];
    cursor = answer['next_cursor'];
    if (cursor === undefined) return sections;
  }
  throw new Error('the pages never end');
}

test('four hundred changed files come as one bounded reply, and whole in pages that outlive a restart', async () => {
  const program =
    'const fs = require("node:fs"); for (let n = 0; n < 400; n += 1) ' +
    'fs.writeFileSync("src/a-file-with-a-rather-long-name-" + n + ".ts", ("export const n = " + n + ";\\n").repeat(5));';
  const workshop = makeWorkshop({
    script: { prompts: [{ steps: [{ do: 'run', argv: [process.execPath, '-e', program] }] }] },
  });
  const first = await workshop.supervisor();
  const shown = await first.delegate('many', contract());
  expect(shown).toMatchObject({ state: 'review_required', inspect_required: true });
  expect(shown['changed_files']).toHaveLength(256);
  expect(shown['review_diff_sha256']).toMatch(/^[0-9a-f]{64}$/);
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(40_000);
  let supervisor = first;
  let reads = 0;
  const sections = await allPages('many', ['changed_files', 'diff_stat', 'diff'], async () => {
    reads += 1;
    if (reads !== 3) return supervisor;
    await supervisor.close();
    supervisor = await workshop.supervisor();
    return supervisor;
  });
  expect(reads).toBeGreaterThan(3);
  expect(sections['changed_files']?.flat()).toHaveLength(400);
  expect(sections['diff_stat']?.join('')).toContain('400 files changed');
  expect(sections['diff']?.join('').match(/^diff --git /gm)).toHaveLength(400);
  expect((await supervisor.finalize(shown))['state']).toBe('completed');
});

test('a record that nobody can read is an error without structure, and the server goes on', async () => {
  const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
  const supervisor = await workshop.supervisor();
  await supervisor.delegate('broken', contract());
  await supervisor.close();
  using database = new DatabaseSync(join(workshop.stateDirectory, 'tasks.sqlite'));
  database.prepare("UPDATE tasks SET record = '{\"half\": ' WHERE task_id = 'broken'").run();
  const client = await RawClient.start({ root: workshop.repository, environment: workshop.environment });
  for (const [tool, more] of [
    ['reasonix_inspect', {}],
    ['reasonix_control', { action: 'close' }],
    ['reasonix_delegate', { contract: contract() }],
  ] as const) {
    const result = await client.call(tool, { task_id: 'broken', ...more });
    expect(result, tool).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    expect(result['structuredContent']).toBeUndefined();
    expect(JSON.parse(result['content'][0].text).error).toMatchObject({
      code: expect.any(String),
      next_action: expect.any(String),
    });
  }
  const unknown = await client.call('reasonix_inspect', { task_id: 'other' });
  expect(JSON.parse(unknown['content'][0].text).error.code).toBe('task_not_found');
  expectOnlyProtocol(client);
});

describe('standard output holds nothing but the protocol', () => {
  test('while worker and verification print on every stream that they have', async () => {
    const workshop = makeWorkshop({
      script: {
        prompts: [
          {
            steps: [
              { do: 'stderr', text: 'noise of the worker\n' },
              { do: 'stdout', text: 'more noise of the worker\n' },
              { do: 'run', argv: ['sh', '-c', 'echo noise; echo noise >&2; echo noise > /dev/tty'] },
              EDIT,
            ],
          },
        ],
      },
    });
    writeProgram(workshop, 'noisy.sh', '#!/bin/sh\necho noise\necho noise >&2\necho noise > /proc/1/fd/1\nexit 1\n');
    const client = await RawClient.start({ root: workshop.repository, environment: workshop.environment });
    const { tools } = (await client.request('tools/list', {}))['result'];
    const needingTasks = tools.filter((tool: Answer) => tool['execution']?.taskSupport === 'required');
    expect(needingTasks, 'no tool needs a client that knows tasks').toEqual([]);
    const task = { task_id: 'noisy', contract: contract(provenBy('./noisy.sh')), wait_timeout_seconds: 30 };
    const { structuredContent: shown } = await client.call('reasonix_delegate', task);
    const failed = await client.call('reasonix_control', {
      task_id: 'noisy',
      action: 'finalize',
      review_summary: 'Read',
      approved_review_criteria: ['looks-right'],
      expected_review_revision: shown.review_revision,
      expected_review_tree_hash: shown.review_tree_hash,
    });
    expect(failed['isError']).toBe(true);
    expectOnlyProtocol(client);
  });

  test('when the sandbox is missing', async () => {
    const workshop = makeWorkshop({ script: { prompts: [{ steps: [EDIT] }] } });
    const bin = join(workshop.directory, 'bin');
    mkdirSync(bin);
    symlinkSync(findOnPath('git'), join(bin, 'git'));
    const environment = { ...workshop.environment, PATH: bin };
    const client = await RawClient.start({ root: workshop.repository, environment });
    const refused = await client.call('reasonix_delegate', { task_id: 'box', contract: contract() });
    expect(JSON.parse(refused['content'][0].text).error.code).toBe('sandbox_unavailable');
    expectOnlyProtocol(client);
  });

  test('when the database is no database', async () => {
    const workshop = makeWorkshop();
    writeFileSync(
      join(workshop.stateDirectory, 'tasks.sqlite'),
      'this is no database, whatever it was before\n'.repeat(100),
    );
    const client = await RawClient.start({ root: workshop.repository, environment: workshop.environment });
    expect((await client.request('tools/list', {}))['result'].tools).toHaveLength(3);
    const refused = await client.call('reasonix_delegate', { task_id: 'lost', contract: contract() });
    expect(refused).toMatchObject({ isError: true });
    expectOnlyProtocol(client);
  });
});

function writeProgram(workshop: Workshop, path: string, content: string): void {
  workshop.write(path, content);
  chmodSync(join(workshop.repository, path), 0o755);
  workshop.git('add', '.');
  workshop.git('commit', '-qm', 'Program');
}

function findOnPath(name: string): string {
  const found = (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not on PATH`);
  return found;
}

function expectOnlyProtocol(client: RawClient): void {
  expect(client.lines.length).toBeGreaterThan(0);
  for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
}
