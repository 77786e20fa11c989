/** A supervisor that a model drives: the real program, run once from its command line, with a scripted model. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from '../../src/process/index.ts';
import type { Workshop } from '../../test/journeys/workshop.ts';
import type { ModelRequest, ScriptedTurn } from '../../test/model/script.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { type Files, writeFiles } from '../shared/files.ts';
import { installedVersion } from '../shared/installed.ts';
import { endLeftRunning } from '../shared/left-running.ts';
import { MODEL_BASE_URL, noPrivateNetwork, openPrivateNetwork } from '../shared/private-network.ts';
import {
  type Answer,
  type Call,
  type ConversationOptions,
  readAnswer,
  type SupervisorProgram,
} from './conversation.ts';

const REMIT = fileURLToPath(new URL('../../bin/remit', import.meta.url));
const TOOLS = ['reasonix_delegate', 'reasonix_control', 'reasonix_inspect'];
const PROMPT = 'Hand the change of x to a worker through Remit, and see it through.';

/** How long a program may take; the slowest scenario needs some fifteen seconds on a quiet machine. */
const LIMIT_MS = 100_000;

/** What differs from program to program. */
export interface ModelProgram extends Pick<SupervisorProgram, 'planted' | 'readOnlyVariant' | 'startsSlowly'> {
  readonly name: string;
  readonly packageName: string;
  readonly argv: (prompt: string, facts: SettingFacts) => readonly string[];
  readonly environment: (facts: SettingFacts) => Readonly<Record<string, string>>;
  /** The user's own settings, as paths in HOME: the model, Remit as `remit`, and nothing that is sent anywhere. */
  readonly settings: (facts: SettingFacts) => Files;
  /** How its model sees a tool of the server `remit`. */
  readonly toolName: (tool: string) => string;
}

export interface SettingFacts extends ConversationOptions {
  readonly modelBaseUrl: string;
  readonly home: string;
  /** A folder for temporary files; it is also TMPDIR. */
  readonly temporary: string;
  readonly repository: string;
  /** How Remit is started. */
  readonly server: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
}

export function modelProgram(program: ModelProgram): SupervisorProgram {
  const version = installedVersion(program.packageName);
  const { planted, readOnlyVariant, startsSlowly = false } = program;
  return {
    title: `${program.name} ${version ?? ''}`.trim(),
    unavailable: version === undefined ? 'is not installed: run `make interop`' : noPrivateNetwork,
    planted,
    startsSlowly,
    ...(readOnlyVariant !== undefined && { readOnlyVariant }),
    converse: (workshop, calls, options = {}) => converse(program, workshop, calls, options),
  };
}

async function converse(
  program: ModelProgram,
  workshop: Workshop,
  calls: readonly Call[],
  options: ConversationOptions,
): Promise<Answer[]> {
  const turns = [...turnsOf(program, calls), ...(options.workerTurns ?? [])];
  const model = await startScriptedModel({ turns, maxRequests: 60 });
  try {
    await using network = await openPrivateNetwork(join(workshop.directory, 'model.sock'), model.baseUrl);
    const facts = settingFacts(workshop, options);
    writeFiles(facts.home, program.settings(facts));
    const said = await run(network.inside(program.argv(PROMPT, facts)), facts, program.environment(facts));
    const left = await endLeftRunning(workshop.directory);
    if (left.length > 0) throw new Error(`the program left these running: ${left.join('; ')}`);
    if (options.endedAfter !== undefined) return [];
    if (model.turnsLeft > 0) throw new Error(`the program left ${model.turnsLeft} turns of the script:\n${said}`);
  } finally {
    await model.close();
  }
  return resultsIn(model.requests.findLast((request) => offersRemit(program, request)));
}

function settingFacts(
  { directory, home, repository, environment }: Workshop,
  options: ConversationOptions,
): SettingFacts {
  const { REMIT_CONFIG = '' } = environment;
  const server = { command: REMIT, args: ['serve'], env: { REMIT_CONFIG } };
  const temporary = join(directory, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return { modelBaseUrl: MODEL_BASE_URL, home, temporary, repository, server, ...options };
}

/** One turn for each call, and a last one in which the model has nothing more to do. */
function turnsOf(program: ModelProgram, calls: readonly Call[]): ScriptedTurn[] {
  const when = (request: ModelRequest) => offersRemit(program, request);
  return [
    ...calls.map(({ tool, arguments: argumentsAfter }) => ({
      when,
      toolCalls: (request: ModelRequest) => [
        { name: program.toolName(tool), arguments: argumentsAfter(resultsIn(request)) },
      ],
    })),
    { when, text: 'The change is made.' },
  ];
}

/** Whether a request comes from the supervisor and shows its model all of Remit's tools. */
function offersRemit(program: ModelProgram, { toolNames }: ModelRequest): boolean {
  return TOOLS.every((tool) => toolNames.includes(program.toolName(tool)));
}

function resultsIn(request: ModelRequest | undefined): Answer[] {
  const results = request?.messages.filter(({ role }) => role === 'tool') ?? [];
  return results.map(({ text }) => readAnswer(text));
}

/** Runs the program in the repository; its whole process group is ended with it. Answers what it printed. */
async function run(argv: string[], facts: SettingFacts, more: Readonly<Record<string, string>>): Promise<string> {
  const { home: HOME, temporary: TMPDIR, repository: cwd } = facts;
  const env = { PATH: process.env['PATH'] ?? '', HOME, TMPDIR, TERM: 'dumb', ...more };
  const end = new AbortController();
  facts.endedAfter?.finally(() => end.abort()).catch(() => {});
  const { outcome, stdout, stderr } = await runProcess({
    argv,
    cwd,
    env,
    timeoutMs: LIMIT_MS,
    maxOutputBytes: 64 * 1024,
    signal: end.signal,
  });
  await facts.endedAfter;
  if (outcome.kind === 'aborted') return '';
  const said = `${stdout.bytes.toString()}\n${stderr.bytes.toString()}`;
  if (outcome.kind !== 'exited' || outcome.exitCode !== 0) throw new Error(`${JSON.stringify(outcome)}\n${said}`);
  return said;
}
