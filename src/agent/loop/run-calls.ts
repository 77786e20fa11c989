import { visibleLine } from '../../base/index.ts';
import type { Observation } from '../../evidence/index.ts';
import type { Authority } from '../authority.ts';
import { callArguments } from '../models/call-arguments.ts';
import type { CallPart, ToolAnswer } from '../models/model.ts';
import type { Place } from '../place/place.ts';
import { failure, type Tool, type ToolResult } from '../tools/define-tool.ts';
import type { ShownCall, TurnListener } from './listener.ts';

/** Calls of one answer that are run; more are refused. */
const MOST_CALLS = 32;
const AT_ONCE = 8;
/** Of one answer to a call, in characters. */
const LONGEST_ANSWER = 64 * 1024;

/** These are judged by what was seen before them, so they wait for it. */
const CLAIMS: ReadonlySet<string> = new Set(['todo_write', 'complete_step', 'review_report']);

export interface CallSurroundings {
  readonly tools: readonly Tool[];
  readonly place: Place;
  readonly authority: Authority;
  readonly ledger: readonly Observation[];
  readonly listener: Pick<TurnListener, 'callStarted' | 'callEnded' | 'todos'>;
  readonly signal: AbortSignal;
  /** Durable before a call that may change something. */
  intend(call: CallPart): Promise<void>;
  learn(answer: ToolAnswer, observations: readonly Observation[]): Promise<void>;
}

/** Runs the calls of one answer: neighbours that only read side by side, all others one after the other. Every call is answered. */
export async function runCalls(calls: readonly CallPart[], surroundings: CallSurroundings): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  for (let at = 0; at < calls.length; ) {
    const group = groupAt(calls, at, surroundings.tools);
    const results = await Promise.all(group.map((call, index) => runCall(call, at + index, surroundings)));
    for (const [index, call] of group.entries()) {
      const { text, isError, observations } = results[index] as ToolResult;
      const answer = { id: call.id, name: call.name, text: cut(text).toWellFormed(), isError: isError ?? false };
      await surroundings.learn(answer, observations);
      answers.push(answer);
      tellTodos(observations, surroundings.listener);
    }
    at += group.length;
  }
  return answers;
}

function groupAt(calls: readonly CallPart[], at: number, tools: readonly Tool[]): readonly CallPart[] {
  const onlyReads = ({ name }: CallPart) =>
    !CLAIMS.has(name) && (tools.find((tool) => tool.name === name)?.readOnly ?? true);
  const rest = calls.slice(at, at + AT_ONCE);
  const end = rest.findIndex((call) => !onlyReads(call));
  return end === 0 ? rest.slice(0, 1) : end < 0 ? rest : rest.slice(0, end);
}

async function runCall(call: CallPart, at: number, surroundings: CallSurroundings): Promise<ToolResult> {
  const { tools, place, authority, ledger, listener, signal } = surroundings;
  if (signal.aborted) return failure('The turn was cancelled before this call was run.');
  if (at >= MOST_CALLS)
    return failure(`Only the first ${MOST_CALLS} calls of an answer are run: repeat this one in the next.`);
  const tool = tools.find(({ name }) => name === call.name);
  const shown = shownCall(call);
  listener.callStarted(shown);
  const result = tool === undefined ? unknownTool(call, tools) : await runTool(tool);
  listener.callEnded(shown, { text: result.text, isError: result.isError ?? false });
  return result;

  async function runTool(known: Tool): Promise<ToolResult> {
    const input = callArguments(call.input);
    if (input.kind === 'broken') return failure(brokenArguments(call, input.reason));
    if (!known.readOnly) await surroundings.intend(call);
    return known.call(input.value, { place, authority, ledger, signal });
  }
}

function unknownTool({ name }: CallPart, tools: readonly Tool[]): ToolResult {
  const names = tools.map((tool) => tool.name).join(', ');
  return failure(`There is no tool "${visibleLine(name.slice(0, 100))}". Tools: ${names}.`);
}

function brokenArguments({ name }: CallPart, reason: string): string {
  return `The arguments of ${name} ${reason}, so nothing was done. Write one JSON object, with every quote and line break in a text escaped.`;
}

function shownCall({ id, name, input }: CallPart): ShownCall {
  const parsed = callArguments(input);
  const value = parsed.kind === 'json' ? parsed.value : undefined;
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const paths = ['path', 'from', 'to'].map((field) => fields[field]).filter((path) => typeof path === 'string');
  return { id, name, input: value, paths };
}

function tellTodos(observations: readonly Observation[], listener: Pick<TurnListener, 'todos'>): void {
  for (const observation of observations) if (observation.kind === 'todos') listener.todos(observation.items);
}

function cut(text: string): string {
  if (text.length <= LONGEST_ANSWER) return text;
  const half = LONGEST_ANSWER / 2;
  return `${text.slice(0, half)}\n[… ${text.length - LONGEST_ANSWER} characters left out …]\n${text.slice(-half)}`;
}
