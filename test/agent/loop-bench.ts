/** A repository's folder, a scripted model behind HTTP and a session between them. For tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { localAuthority } from '../../src/agent/authority.ts';
import type { ShownCall, TurnListener } from '../../src/agent/loop/listener.ts';
import { type TurnEnd, WorkSession } from '../../src/agent/loop/work-session.ts';
import type { LanguageModel } from '../../src/agent/models/model.ts';
import { openLanguageModel } from '../../src/agent/models/open-language-model.ts';
import type { Budget, Price } from '../../src/agent/models/settings.ts';
import { localFiles } from '../../src/agent/place/local-files.ts';
import { openLocalPlace } from '../../src/agent/place/local-place.ts';
import type { Place } from '../../src/agent/place/place.ts';
import { type OpenSession, SessionStore } from '../../src/agent/session/session-store.ts';
import type { SessionUsage } from '../../src/agent/session/session-usage.ts';
import type { ScriptedToolCall, ScriptedTurn } from '../model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../model/scripted-model.ts';

export interface Bench {
  readonly root: string;
  readonly model: ScriptedModel;
  readonly session: WorkSession;
  readonly log: OpenSession;
  readonly heard: Heard;
  prompt(text?: string, signal?: AbortSignal): Promise<TurnEnd>;
}

export interface BenchOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly turns: readonly ScriptedTurn[];
  readonly reviewerTurns?: readonly ScriptedTurn[];
  readonly budget?: Budget;
  readonly price?: Price;
  readonly contextTokens?: number;
  /** Commands of the machine, boxed; else there are none. */
  readonly commands?: boolean;
  readonly maxRequests?: number;
}

export async function openBench(options: BenchOptions): Promise<Bench> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'remit-loop-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, 'repository');
  for (const [path, content] of Object.entries({ 'a.txt': 'one\ntwo\nthree\n', ...options.files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const model = await scripted(options.turns, options.maxRequests);
  const reviewer = options.reviewerTurns && (await scripted(options.reviewerTurns));
  const log = await new SessionStore({ HOME: home }).create(root);
  onTestFinished(() => log.close());
  const heard = new Heard();
  const session = new WorkSession({
    place: options.commands ? await openLocalPlace(root, process.env) : withoutCommands(root),
    authority: localAuthority(root),
    model: modelAt(model),
    reviewer: reviewer && modelAt(reviewer),
    budget: options.budget ?? {},
    price: options.price,
    contextTokens: options.contextTokens ?? 128_000,
    log,
    state: await log.read(),
  });
  return {
    root,
    model,
    session,
    log,
    heard,
    prompt: (text = 'Do the task.', signal = new AbortController().signal) => session.prompt(text, heard, signal),
  };
}

async function scripted(turns: readonly ScriptedTurn[], maxRequests = 200): Promise<ScriptedModel> {
  const model = await startScriptedModel({ turns, maxRequests });
  onTestFinished(() => model.close());
  return model;
}

function modelAt({ baseUrl }: ScriptedModel): LanguageModel {
  return openLanguageModel({ provider: 'openai-compatible', name: 'scripted', baseUrl: `${baseUrl}/v1` });
}

function withoutCommands(root: string): Place {
  return { root, files: localFiles(root), commands: { kind: 'withheld', reason: 'none here' } };
}

/** Everything that a listener is told. */
export class Heard implements TurnListener {
  said = '';
  thought = '';
  readonly started: ShownCall[] = [];
  readonly ended: { call: ShownCall; text: string; isError: boolean }[] = [];
  readonly lists: unknown[] = [];
  usage: SessionUsage | undefined;
  cost: number | undefined;

  text(text: string): void {
    this.said += text;
  }
  reasoning(text: string): void {
    this.thought += text;
  }
  unsaid(): void {
    this.said = '';
  }
  callStarted(call: ShownCall): void {
    this.started.push(call);
  }
  callEnded(call: ShownCall, answer: { text: string; isError: boolean }): void {
    this.ended.push({ call, ...answer });
  }
  todos(items: unknown): void {
    this.lists.push(items);
  }
  used(usage: SessionUsage, cost: number | undefined): void {
    this.usage = usage;
    this.cost = cost;
  }

  /** What the calls of a tool were answered, in order. */
  answers(tool: string): string[] {
    return this.ended.filter(({ call }) => call.name === tool).map(({ text }) => text);
  }
}

export const call = (name: string, input: ScriptedToolCall['arguments']): ScriptedToolCall => ({
  name,
  arguments: input,
});
export const read = (path = 'a.txt') => call('read_file', { path });
export const edit = (before = 'two', after = '2', path = 'a.txt') =>
  call('edit_file', { path, old_string: before, new_string: after });
export const report = (more: Record<string, unknown> = {}) =>
  call('review_report', { kind: 'review', verdict: 'pass', reviewed_paths: ['a.txt'], findings: [], ...more });

/** The messages that the model was sent last by the program itself. */
export function toldLast({ model }: Pick<Bench, 'model'>): string {
  return model.requests.at(-1)?.messages.at(-1)?.text ?? '';
}
