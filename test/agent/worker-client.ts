/** The bundled worker as a process of its own, driven by the ACP library's client alone, against a scripted model. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ClientApp,
  type ClientConnection,
  client,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import type { ScriptedTurn } from '../model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../model/scripted-model.ts';

const PROGRAM = join(import.meta.dirname, '../../src/agent/main.ts');
export const KEY = 'sk-key-of-the-worker-test';

export interface Stage {
  readonly home: string;
  readonly root: string;
  readonly model: ScriptedModel;
  readonly environment: Record<string, string>;
}

export async function setStage(
  turns: readonly ScriptedTurn[],
  files: Readonly<Record<string, string>> = { 'a.txt': 'one\ntwo\nthree\n' },
): Promise<Stage> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'remit-worker-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, 'repository');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const model = await startScriptedModel({ turns });
  onTestFinished(() => model.close());
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    REMIT_MODEL: 'openai-compatible:scripted',
    REMIT_BASE_URL: `${model.baseUrl}/v1`,
    REMIT_API_KEY: KEY,
  };
  return { home, root, model, environment };
}

type Update = Record<string, unknown> & { sessionUpdate: string };

export interface Worker {
  readonly agent: ClientConnection['agent'];
  readonly process: ChildProcessWithoutNullStreams;
  readonly updates: Update[];
  readonly asked: RequestPermissionRequest[];
  /** Everything that it wrote to stderr. */
  stderr(): string;
  prompt(sessionId: string, text?: string): Promise<PromptResponse>;
  /** What the updates of one kind said, joined. */
  said(kind?: string): string;
  kill(): Promise<void>;
}

export interface WorkerOptions {
  readonly environment?: Record<string, string>;
  readonly allow?: (request: RequestPermissionRequest) => boolean;
  readonly capabilities?: Record<string, unknown>;
  readonly extend?: (app: ClientApp) => ClientApp;
}

export async function startWorkerProcess(stage: Stage, options: WorkerOptions = {}): Promise<Worker> {
  const { allow = () => true, capabilities = {}, extend = (app) => app } = options;
  const child = spawn(process.execPath, [PROGRAM], { env: options.environment ?? stage.environment, cwd: '/' });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const updates: Update[] = [];
  const asked: RequestPermissionRequest[] = [];
  const app = client({ name: 'test' })
    .onRequest('session/request_permission', ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: 'selected', optionId: allow(params) ? 'allow' : 'reject' } };
    })
    .onNotification('session/update', ({ params }) => void updates.push(params.update as Update));
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  const { agent } = extend(app).connect(stream);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(() => void child.kill('SIGKILL'));
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
  return {
    agent,
    process: child,
    updates,
    asked,
    stderr: () => errors,
    prompt: (sessionId, text = 'Do the task.') =>
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    said: (kind = 'agent_message_chunk') =>
      updates
        .filter(({ sessionUpdate }) => sessionUpdate === kind)
        .map(({ content }) => (content as { text: string }).text)
        .join(''),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

export async function newSession(worker: Worker, cwd: string): Promise<string> {
  return (await worker.agent.request('session/new', { cwd, mcpServers: [] })).sessionId;
}

/** What the worker says of the turn. */
export function factsOf(answer: PromptResponse): unknown {
  return answer._meta?.['remit'];
}
