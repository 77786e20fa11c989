/** One session of the bundled worker: the built program as a process of its own, over ACP, with a scripted model on loopback. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { client, ndJsonStream, PROTOCOL_VERSION, type PromptResponse, type Stream } from '@agentclientprotocol/sdk';
import { META, METHODS, type TurnFacts } from '../../src/protocol/index.ts';
import type { ModelRequest } from '../../test/model/script.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { type ScriptedPrompt, sessionScript } from './worker-script.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PROGRAM = join(ROOT, 'dist/worker.mjs');
const GUIDANCE = 'Keep each docstring to one line, and say nothing of the tests in it.';

/** Every request that the worker sent in the session, in order. Throws when the session did not go as it was scripted. */
export async function runWorkerSession(): Promise<readonly ModelRequest[]> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'remit-session-')));
  const reached = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  const prompts = sessionScript(ROOT, { reached: reached.resolve, heard: heard.promise });
  const model = await startScriptedModel({ turns: prompts.flatMap(({ turns }) => turns) });
  const worker = startWorker(directory, model.baseUrl);
  try {
    makeProject(directory);
    const failures = await converse(worker, join(directory, 'project'), prompts, async (steer) => {
      await reached.promise;
      await steer();
      heard.resolve();
    });
    // Each prompt begins with a test that fails.
    if (model.turnsLeft > 0 || failures.length !== prompts.length)
      throw new Error(`the session went otherwise: ${model.turnsLeft} turns are left; ${failures.join('\n')}`);
    return model.requests;
  } finally {
    await worker.end();
    await model.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** This project's own source in a repository of its own. */
function makeProject(directory: string): void {
  const cwd = join(directory, 'project');
  for (const path of ['src', 'package.json']) cpSync(join(ROOT, path), join(cwd, path), { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd, env: environmentOf(directory), stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.test', 'commit', '--quiet', '--message=Base');
}

function environmentOf(home: string): Record<string, string> {
  return { HOME: home, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
}

interface WorkerProcess {
  readonly stream: Stream;
  end(): Promise<void>;
}

function startWorker(home: string, modelUrl: string): WorkerProcess {
  const model = { REMIT_MODEL: 'openai-compatible:scripted', REMIT_BASE_URL: `${modelUrl}/v1` };
  const worker = spawn(process.execPath, [PROGRAM], {
    cwd: '/',
    env: { ...environmentOf(home), ...model },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => worker.once('close', () => resolve()));
  const output = Readable.toWeb(worker.stdout) as ReadableStream<Uint8Array>;
  return {
    stream: ndJsonStream(Writable.toWeb(worker.stdin), output),
    end: () => {
      worker.kill('SIGTERM');
      return ended;
    },
  };
}

/** One session with all prompts; before the last one it is read back from its file. Answers what its failed calls were told. */
async function converse(
  { stream }: WorkerProcess,
  cwd: string,
  prompts: readonly ScriptedPrompt[],
  guide: (steer: () => Promise<unknown>) => Promise<void>,
): Promise<string[]> {
  const failures: string[] = [];
  const { agent } = client({ name: 'bench' })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'allow' } }))
    .onNotification('session/update', ({ params: { update } }) => {
      if (update.sessionUpdate === 'tool_call_update' && update.status === 'failed')
        failures.push(JSON.stringify(update.content).slice(0, 500));
    })
    .connect(stream);
  await agent.request('initialize', { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
  const blocks = (text: string) => [{ type: 'text' as const, text }];
  const guided = guide(() => agent.request(METHODS.steer, { sessionId, prompt: blocks(GUIDANCE) }));
  for (const [at, { text }] of prompts.entries()) {
    if (at === prompts.length - 1) await agent.request('session/resume', { sessionId, cwd, mcpServers: [] });
    const { _meta } = await agent.request<PromptResponse>('session/prompt', { sessionId, prompt: blocks(text) });
    const { phase, reason } = (_meta?.[META] ?? {}) as Partial<TurnFacts>;
    if (phase !== 'done') throw new Error(`a prompt ended as ${phase}: ${reason}; ${failures.join('\n')}`);
  }
  await guided;
  return failures;
}
