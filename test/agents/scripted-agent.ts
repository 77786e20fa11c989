/**
 * A worker that does exactly what a script says: run as `node scripted-agent.ts SCRIPT.json`, it speaks ACP v1 on its
 * standard streams. The script's language is `AgentScript` in `script.ts`; further arguments (flags of a real agent) are
 * ignored. It needs to read this repository and the script, and to write the worktree and HOME. What it keeps between
 * processes is in `$HOME/.scripted-agent`: prompts seen, their texts, sessions, the pid of a surviving child.
 *
 * It writes JSON lines by hand instead of using the ACP library, so that it can also misbehave below the protocol.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Advertised, advertised, reasonixStatus } from './agent-shapes.ts';
import type { AgentScript, Asking, Prompt, Step, Usage } from './script.ts';

type Json = Record<string, unknown>;

const script = JSON.parse(fs.readFileSync(process.argv[2] ?? '', 'utf8')) as AgentScript;
const memory = join(process.env['HOME'] ?? '/tmp', '.scripted-agent');
const shape: Advertised = advertised(script);
const reasonix = script.shape?.startsWith('reasonix') === true;

let sessionId = '';
let worktree = process.cwd();
let authenticated = false;
let cancelled = false;
let cancelTurn: () => void = () => {};
let callCount = 0;
let effortChanged = false;
let lastPhase = 'starting';
let readiness: Json = { readyForReview: false, summary: '', risks: [] };
const usage = { promptTokens: 0, completionTokens: 0, cacheHitTokens: 0 };
const steered: string[] = [];

// --- the wire -------------------------------------------------------------------------------------------------------

let requestCount = 0;
const waiting = new Map<string, (message: Json) => void>();

function raw(text: string): Promise<void> {
  return new Promise((done) => {
    process.stdout.write(text, () => done());
  });
}

function send(message: Json): Promise<void> {
  return raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function request(method: string, params: Json): Promise<Json> {
  const id = `a${requestCount++}`;
  return new Promise((answered) => {
    waiting.set(id, answered);
    void send({ id, method, params });
  });
}

function update(sessionUpdate: string, members: Json): Promise<void> {
  return send({ method: 'session/update', params: { sessionId, update: { sessionUpdate, ...members } } });
}

function say(text: string): Promise<void> {
  return update('agent_message_chunk', { content: { type: 'text', text } });
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const forever = () => new Promise<never>(() => {});

class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

// --- what is kept between processes ---------------------------------------------------------------------------------

function keep(name: string, content: string): void {
  fs.mkdirSync(memory, { recursive: true });
  fs.writeFileSync(join(memory, name), content);
}

function kept(name: string): string | undefined {
  return fs.existsSync(join(memory, name)) ? fs.readFileSync(join(memory, name), 'utf8') : undefined;
}

function countPrompt(text: string): number {
  const number = Number(kept('prompts') ?? 0);
  keep('prompts', String(number + 1));
  keep(`prompt-${number}.txt`, text);
  return number;
}

// --- methods --------------------------------------------------------------------------------------------------------

async function initialize(): Promise<Json> {
  if (script.initialize === 'silent') await forever();
  if (script.initialize === 'error') throw new Refusal(-32603, 'this agent does not start today');
  if (script.initialize === 'exit' || script.initialize === 'noise') {
    if (script.initialize === 'noise') await raw('Usage: some-tool [options]\n  --help\n');
    else process.stderr.write('fatal: cannot start, token=abcdef0123456789\n');
    process.exit(3);
  }
  return shape.initialize;
}

async function newSession(params: Json): Promise<Json> {
  if (script.newSession === 'silent') await forever();
  if (script.newSession === 'error') throw new Refusal(-32603, 'no such model');
  if (script.newSession === 'never' || (script.newSession === 'auth' && !authenticated)) {
    throw new Refusal(-32000, 'Authentication required');
  }
  sessionId = randomUUID();
  worktree = String(params['cwd']);
  keep(`session-${sessionId}`, worktree);
  if (script.survivor) startSurvivor();
  return { sessionId, ...shape.session };
}

async function enterSession(method: string, params: Json): Promise<Json> {
  const id = String(params['sessionId']);
  if (script.resumed === 'silent') await forever();
  if (script.resumed === 'exit') process.exit(4);
  if (script.resumed === 'error') throw new Refusal(-32002, 'Resource not found');
  if (script.resumed !== 'empty' && kept(`session-${id}`) === undefined)
    throw new Refusal(-32002, 'Resource not found');
  sessionId = id;
  worktree = String(params['cwd']);
  if (script.resumed === 'replay' || (method === 'session/load' && script.resumed !== 'empty')) await replay();
  return script.resumed === 'empty' ? {} : shape.session;
}

async function replay(): Promise<void> {
  await update('user_message_chunk', { content: { type: 'text', text: 'an earlier prompt' } });
  for (let number = 0; number < (script.replayed ?? 3); number += 1) {
    await update('tool_call', { toolCallId: `old-${number}`, title: 'old edit', kind: 'edit', status: 'completed' });
    await say(`old message ${number}`);
  }
}

async function authenticate(): Promise<Json> {
  if (script.authenticate === 'silent') await forever();
  if (script.authenticate === 'error') throw new Refusal(-32603, 'the key is not valid');
  authenticated = true;
  return {};
}

async function setOption(params: Json): Promise<Json> {
  if (script.setOption === 'silent') await forever();
  if (script.setOption === 'error') throw new Refusal(-32602, 'no such option');
  if (script.setOption !== 'ignore') shape.choose(String(params['configId']), String(params['value']));
  effortChanged ||= params['configId'] === 'effort';
  return { configOptions: shape.session['configOptions'] };
}

async function setMode(params: Json): Promise<Json> {
  if (script.setOption === 'silent') await forever();
  if (script.setOption === 'error') throw new Refusal(-32602, 'no such mode');
  if (script.setOption !== 'ignore') shape.chooseMode(String(params['modeId']));
  return {};
}

function steer(params: Json): Json {
  if (script.steer === 'error') throw new Refusal(-32603, 'no steering now');
  const text = String((params['prompt'] as { text: string }[])[0]?.text);
  steered.push(text);
  fs.mkdirSync(memory, { recursive: true });
  fs.appendFileSync(join(memory, 'steered.txt'), `${text}\n---\n`);
  return { disposition: script.steer === 'queued' ? 'queued_followup' : 'steer_accepted' };
}

function status(state: 'running' | 'idle', event?: string): Json {
  const whole = reasonixStatus(shape, { sessionId, worktree, state, phase: lastPhase, readiness, usage });
  return event === undefined ? whole : { schemaVersion: 1, sequence: 1, sessionId, event, status: whole };
}

const methods: Record<string, (params: Json) => Json | Promise<Json>> = {
  initialize,
  authenticate,
  'session/new': newSession,
  'session/load': (params) => enterSession('session/load', params),
  'session/resume': (params) => enterSession('session/resume', params),
  'session/list': () => ({ sessions: listSessions() }),
  'session/close': () => ({}),
  'session/set_config_option': setOption,
  'session/set_mode': setMode,
  'session/prompt': prompt,
  ...(reasonix && { '_reasonix.io/session/steer': steer, '_reasonix.io/session/status': () => status('idle') }),
};

function listSessions(): Json[] {
  if (!fs.existsSync(memory) || script.resumed === 'empty') return [];
  const names = fs.readdirSync(memory).filter((name) => name.startsWith('session-'));
  return names.map((name) => ({ sessionId: name.slice('session-'.length), cwd: kept(name) }));
}

// --- one prompt -----------------------------------------------------------------------------------------------------

async function prompt(params: Json): Promise<Json> {
  const blocks = params['prompt'] as { text?: string }[];
  const number = countPrompt(blocks.map((block) => block.text ?? '').join('\n'));
  keep(`mode-${number}`, shape.current('mode') ?? '');
  if (script.shape === 'reasonix-1.38' && shape.current('mode') === 'goal') {
    // As the real one does: after a change of effort the first goal fails; a goal puts the mode back.
    if (effortChanged) throw new Refusal(-32603, 'session/prompt: persist goal: session runtime is not attached');
    shape.chooseMode('normal');
  }
  const todo = script.prompts[Math.min(number, script.prompts.length - 1)] ?? { steps: [] };
  cancelled = false;
  const stopped = new Promise<'stopped'>((stop) => {
    cancelTurn = () => stop('stopped');
  });
  await phase('implementing');
  const how = await Promise.race([perform(todo), stopped]);
  return how === 'stopped' ? cancelledAnswer() : finished(todo);
}

async function perform(todo: Prompt): Promise<void> {
  for (const step of todo.steps) {
    if (cancelled && script.cancel !== 'ignore') return forever();
    try {
      await act(step);
    } catch (error) {
      await say(`[failed] ${step.do}: ${(error as Error).message}\n`);
    }
  }
}

async function finished(todo: Prompt): Promise<Json> {
  if (todo.usage) await spend(todo.usage);
  for (const text of steered.splice(0)) await say(`\n[steered] ${text}`);
  readiness = { summary: '', risks: [], ...(todo.readiness ?? { readyForReview: true }) };
  await phase(todo.phase ?? 'completed', 'completion');
  if (todo.error) throw new Refusal(todo.error.code, todo.error.message);
  if (todo.stopReason === 'none') await forever();
  return todo.stopReason === null ? {} : { stopReason: todo.stopReason ?? 'end_turn' };
}

async function cancelledAnswer(): Promise<Json> {
  if (script.cancel === 'error') throw new Refusal(-32603, 'cancel failed');
  if (script.cancel === 'ask') {
    void request('session/request_permission', permission('edit', 'src/after-cancel', {}, {}));
    await pause(50);
  }
  if (script.cancel === 'keep_writing') {
    const until = Date.now() + 10_000;
    const timer = setInterval(() => {
      fs.appendFileSync(join(worktree, 'src/late'), 'x');
      if (Date.now() > until) clearInterval(timer);
    }, 20);
  }
  await phase('cancelled', 'completion');
  return { stopReason: script.cancel === 'late_end_turn' ? 'end_turn' : 'cancelled' };
}

async function phase(name: string, event = 'phase'): Promise<void> {
  lastPhase = name;
  if (!reasonix) return;
  const state = event === 'completion' ? 'idle' : 'running';
  await send({ method: '_reasonix.io/session/status_update', params: status(state, event) });
}

async function spend(spent: Usage): Promise<void> {
  usage.promptTokens += spent.promptTokens;
  usage.completionTokens += spent.completionTokens;
  usage.cacheHitTokens += spent.cacheHitTokens ?? 0;
  if (reasonix) await send({ method: '_reasonix.io/session/status_update', params: status('running', 'usage') });
  else
    await update('usage_update', { used: usage.promptTokens, size: 100_000, cost: { amount: 0.5, currency: 'USD' } });
}

// --- effects --------------------------------------------------------------------------------------------------------

const at = (path: string) => (isAbsolute(path) ? path : join(worktree, path));

async function act(step: Step): Promise<void> {
  switch (step.do) {
    case 'write':
      return asking(step, 'edit', [step.path], { content: step.content }, () => write(step));
    case 'append':
      return asking(step, 'edit', [step.path], { content: step.content }, () => {
        fs.appendFileSync(at(step.path), step.content);
      });
    case 'edit':
      return asking(step, 'edit', [step.path], { old_string: step.from, new_string: step.to }, () => {
        const before = fs.readFileSync(at(step.path), 'utf8');
        if (!before.includes(step.from)) throw new Error(`${step.path} does not contain ${JSON.stringify(step.from)}`);
        fs.writeFileSync(
          at(step.path),
          before.replace(step.from, () => step.to),
        );
      });
    case 'delete':
      return asking(step, 'delete', [step.path], {}, () => fs.rmSync(at(step.path), { recursive: true }));
    case 'move':
      return asking(step, 'move', [step.path, step.to], {}, () => fs.renameSync(at(step.path), at(step.to)));
    case 'symlink':
      return asking(step, 'edit', [step.path], { target: step.target }, () =>
        fs.symlinkSync(step.target, at(step.path)),
      );
    case 'chmod':
      return asking(step, 'edit', [step.path], { mode: step.mode }, () => fs.chmodSync(at(step.path), step.mode));
    case 'mkdir':
      return asking(step, 'edit', [step.path], {}, () => void fs.mkdirSync(at(step.path), { recursive: true }));
    case 'read':
      return asking(step, 'read', [step.path], {}, async () => say(fs.readFileSync(at(step.path), 'utf8')));
    case 'run':
      return asking(step, 'execute', [], commandInput(step), () => run(step.argv, at(step.cwd ?? '.')));
    case 'question':
      return question(step.question, step.answers);
    default:
      return misbehave(step);
  }
}

let terminalId = '';

async function askHost(method: string, params: Json): Promise<void> {
  const filled = JSON.stringify({ sessionId, ...params })
    .replaceAll('$WORKTREE', worktree)
    .replaceAll('$TERMINAL', terminalId);
  const { result, error } = await request(method, JSON.parse(filled));
  terminalId = (result as { terminalId?: string } | undefined)?.terminalId ?? terminalId;
  await say(`${method} ${JSON.stringify(error === undefined ? { result } : { error })}\n`);
}

async function misbehave(step: Exclude<Step, Asking | { do: 'question' }>): Promise<void> {
  switch (step.do) {
    case 'say':
      return say(step.text);
    case 'think':
      return update('agent_thought_chunk', { content: { type: 'text', text: step.text } });
    case 'sleep':
      return pause(step.ms);
    case 'wait_for':
      return waitFor(at(step.path));
    case 'usage':
      return spend(step.usage);
    case 'stderr':
      return void process.stderr.write(step.text);
    case 'stdout':
      return raw(step.text);
    case 'updates':
      return flood(step.count, step.bytes);
    case 'endless_line':
      return endlessLine(step.bytes);
    case 'stderr_flood':
      return stderrFlood(step.bytes);
    case 'requests':
      for (let n = 0; n < step.count; n += 1) void request(step.method, { sessionId, ...step.params });
      return;
    case 'request':
      return askHost(step.method, step.params ?? {});
    case 'close_stdout':
      fs.closeSync(1);
      setInterval(() => {}, 1000);
      return forever();
    case 'exit':
      process.exit(step.code);
      break;
    case 'kill_self':
      process.kill(process.pid, step.signal);
      return forever();
  }
}

async function write(step: Extract<Step, { do: 'write' }>): Promise<void> {
  if (step.via === 'client') {
    const answer = await request('fs/write_text_file', { sessionId, path: at(step.path), content: step.content });
    if (answer['error'] === undefined) return;
    await say(`[client] ${(answer['error'] as { code: number }).code}\n`);
  }
  fs.mkdirSync(dirname(at(step.path)), { recursive: true });
  fs.writeFileSync(at(step.path), step.content);
}

function commandInput(step: Extract<Step, { do: 'run' }>): Json {
  return {
    command: step.text ?? step.argv.join(' '),
    ...(step.text === undefined && { argv: step.argv }),
    cwd: step.cwd ?? '.',
  };
}

function run(argv: string[], cwd: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(argv[0] ?? '', argv.slice(1), { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', failed);
    child.on('close', (code, signal) => void say(`[${argv.join(' ')}] ${code ?? signal}\n${output}`).then(done));
  });
}

function startSurvivor(): void {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 300000)'], { detached: true, stdio: 'ignore' });
  keep('survivor', String(child.pid));
}

async function waitFor(path: string): Promise<void> {
  for (let n = 0; n < 3000 && !fs.existsSync(path); n += 1) await pause(10);
}

async function flood(count: number, bytes: number): Promise<void> {
  const text = 'x'.repeat(bytes);
  for (let n = 0; n < count; n += 1) {
    const content = [{ type: 'content', content: { type: 'text', text } }];
    const sent = update('tool_call_update', { toolCallId: `flood-${n}`, status: 'in_progress', content });
    if (n % 100 === 99) await sent;
  }
  await say('[flooded]');
}

async function endlessLine(bytes: number): Promise<void> {
  const piece = 'x'.repeat(1 << 20);
  for (let sent = 0; sent < bytes; sent += piece.length) await raw(piece);
}

async function stderrFlood(bytes: number): Promise<void> {
  const piece = Buffer.alloc(1 << 20, 'e\n');
  for (let sent = 0; sent < bytes; sent += piece.length) {
    await new Promise<void>((done) => {
      process.stderr.write(piece, () => done());
    });
  }
}

// --- asking ---------------------------------------------------------------------------------------------------------

async function asking(
  how: Asking,
  kind: string,
  paths: string[],
  input: Json,
  effect: () => void | Promise<void>,
): Promise<void> {
  if (how.ask !== true) return effect();
  const first = paths[0] ?? '';
  for (let round = 0; round < (how.times ?? 1); round += 1) {
    const allowed = await allowedOnce(
      how,
      kind,
      first,
      paths.length > 1 ? { ...input, destination_path: paths[1] } : input,
    );
    if (allowed || how.anyway) return effect();
    await say(`[denied] ${kind} ${first || String(input['command'])}\n`);
  }
}

async function allowedOnce(how: Asking, kind: string, path: string, input: Json): Promise<boolean> {
  const call = permission(kind, path, input, how);
  const toolCall = call['toolCall'] as Json;
  const id = String(toolCall['toolCallId']);
  if (how.lateMs !== undefined) {
    const { rawInput, locations, _meta, ...bare } = toolCall;
    call['toolCall'] = bare;
    await update('tool_call', { ...bare, rawInput: {} });
    if (how.lateMs >= 0)
      setTimeout(() => void update('tool_call_update', { toolCallId: id, rawInput, locations, _meta }), how.lateMs);
  }
  const answer = await request('session/request_permission', call);
  const outcome = ((answer['result'] as Json)?.['outcome'] ?? {}) as Json;
  return outcome['outcome'] === 'selected' && String(outcome['optionId']).startsWith('allow');
}

function permission(kind: string, path: string, input: Json, how: Asking): Json {
  const toolCallId = reasonix ? `gate-${++callCount}` : `call-${++callCount}`;
  const rawInput = kind === 'execute' ? commandRawInput(input) : pathRawInput(kind, path, input);
  const locations = path === '' || kind === 'move' ? undefined : [{ path: resolve(at(path)) }];
  const offered = how.offered ?? ['allow_once', 'allow_always', 'reject_once'];
  const options = offered.map((option) => ({ optionId: `${option}-id`, name: option, kind: option }));
  const title = `${kind} ${path || String(input['command'])}`;
  const meta = reasonix ? reasonixMeta(kind, path, input) : undefined;
  const toolCall = { toolCallId, title, kind, status: 'pending', rawInput, locations, _meta: meta, ...how.toolCall };
  return { sessionId, toolCall, options };
}

function commandRawInput(input: Json): Json {
  return { command: input['command'], description: 'scripted' };
}

function pathRawInput(kind: string, path: string, input: Json): Json {
  if (kind !== 'move') return { path: relative(worktree, at(path)), ...input };
  return { source_path: path, destination_path: input['destination_path'] };
}

function reasonixMeta(kind: string, path: string, input: Json): Json {
  const tool = { edit: 'write_file', execute: 'bash', move: 'move_file' }[kind] ?? kind;
  const subject =
    kind === 'execute' ? input['command'] : kind === 'move' ? `${path} -> ${input['destination_path']}` : path;
  const argv = kind === 'execute' && input['argv'] !== undefined;
  const staticCommand = argv && {
    argv: input['argv'],
    commandSchemaVersion: 1,
    cwd: resolve(at(String(input['cwd']))),
  };
  return { 'reasonix.io': { approvalId: String(callCount), fresh: false, subject, tool, ...staticCommand } };
}

async function question(text: string, answers: string[]): Promise<void> {
  const options = answers.map((name, n) => ({ optionId: `q1:${n + 1}`, name, kind: 'allow_once' }));
  const toolCall = {
    toolCallId: `ask-${++callCount}-q1`,
    title: text,
    kind: 'other',
    status: 'pending',
    content: [{ type: 'content', content: { type: 'text', text: 'Pick' } }],
    rawInput: { id: 'q1', multi: false, question: text, options: answers.map((Label) => ({ Label })) },
  };
  const cancel = { optionId: 'q1:cancel', name: 'Cancel', kind: 'reject_once' };
  const answer = await request('session/request_permission', { sessionId, toolCall, options: [...options, cancel] });
  const outcome = ((answer['result'] as Json)?.['outcome'] ?? {}) as Json;
  const chosen = options.find((option) => option.optionId === outcome['optionId']);
  await say(`[answer] ${chosen?.name ?? 'none'}\n`);
}

// --- the loop -------------------------------------------------------------------------------------------------------

async function serve(id: unknown, method: string, params: Json): Promise<void> {
  const handler = methods[method];
  try {
    if (!handler) throw new Refusal(-32601, `"Method not found": ${method}`);
    await send({ id, result: await handler(params) });
  } catch (error) {
    const code = error instanceof Refusal ? error.code : -32603;
    await send({ id, error: { code, message: (error as Error).message } });
  }
}

function receive(message: Json): void {
  const { id, method } = message;
  if (typeof method === 'string' && id !== undefined) void serve(id, method, (message['params'] ?? {}) as Json);
  else if (method === 'session/cancel') {
    cancelled = true;
    if (script.cancel !== 'ignore') cancelTurn();
  } else if (method === undefined) {
    waiting.get(String(id))?.(message);
    waiting.delete(String(id));
  }
}

if (script.ignoreSigterm) process.on('SIGTERM', () => {});
process.stdout.on('error', () => {});
createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  .on('line', (line) => receive(JSON.parse(line) as Json))
  .on('close', () => {
    if (script.ignoreEnd) setInterval(() => {}, 1000);
    else process.exit(0);
  });
