/** A real agent as the worker of a real Remit server, in a network that holds its scripted model and nobody else. */
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { commandLines, hostProcesses, processesNaming } from '../../test/host-processes.ts';
import type { Answer, Supervisor } from '../../test/journeys/supervisor.ts';
import { contract, makeWorkshop, type Workshop } from '../../test/journeys/workshop.ts';
import type { ScriptedTurn } from '../../test/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../test/model/scripted-model.ts';
import { type Files, writeFiles } from '../shared/files.ts';
import { MODEL_BASE_URL, openPrivateNetwork, type PrivateNetwork } from '../shared/private-network.ts';
import type { ModelTools, WorkerProgram } from './programs/program.ts';

export const TASK = 'real';
export const CONTRACT = contract({
  allowed_commands: [
    { id: 'check', argv: ['./check.sh'] },
    { id: 'wait', argv: ['./wait.sh'] },
  ],
});

/** Programs of the repository that the contract allows. The second goes on in the background for longer than any test. */
const COMMANDS: Files = {
  'check.sh': '#!/bin/sh\necho checked\n',
  'wait.sh': '#!/bin/sh\nsleep 300 &\ntouch src/begun\nexec sleep 300\n',
};

/** What the model says, given the worktree, the tools of the agent, and how a turn that changed src/x.ts ends with a text. */
export type Script = (
  tools: ModelTools,
  inWorktree: (path: string) => string,
  end: (text: string) => readonly ScriptedTurn[],
) => readonly ScriptedTurn[];

/** How long anything may take that a test waits for. Several agents may run at once. */
export const PATIENTLY = { wait_timeout_seconds: 110 };
export const WITHIN = { timeout: 60_000, interval: 50 };

export class Bench {
  readonly workshop: Workshop;
  readonly model: ScriptedModel;
  readonly #network: PrivateNetwork;

  constructor(workshop: Workshop, model: ScriptedModel, network: PrivateNetwork) {
    this.workshop = workshop;
    this.model = model;
    this.#network = network;
  }

  get worktree(): string {
    return join(this.workshop.stateDirectory, 'worktrees', TASK);
  }

  supervisor(): Promise<Supervisor> {
    return this.workshop.supervisor({ inside: (argv) => this.#network.inside(argv) });
  }

  /** Every text that the model was sent in requests of the agent itself. */
  said(): string {
    const own = this.model.requests.filter(({ toolNames }) => toolNames.length > 0);
    return own.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n');
  }

  /** How often the agent itself has asked its model. */
  get timesAsked(): number {
    return this.model.requests.filter(({ toolNames }) => toolNames.length > 0).length;
  }

  async asked(times: number): Promise<void> {
    await expect.poll(() => this.timesAsked, WITHIN).toBeGreaterThanOrEqual(times);
  }

  /** Ends the Remit server itself without warning, wherever it stands in its network. */
  killServer(): void {
    const [server, ...more] = hostProcesses().filter(
      ({ words }) => words[2]?.endsWith('src/cli/main.ts') && words.includes(this.workshop.repository),
    );
    if (server === undefined || more.length > 0) throw new Error('there is not exactly one server to kill');
    process.kill(server.pid, 'SIGKILL');
  }

  /** The worker's processes: those that know of the state directory, which the server's own environment does not name. */
  workerProcesses(): string[] {
    return commandLines(processesNaming(this.workshop.stateDirectory));
  }
}

/** A bench that is removed with its test. */
export async function openBench(
  program: WorkerProgram,
  script: Script,
  options: { readonly planted?: Files } = {},
): Promise<Bench> {
  const environment = program.environment(MODEL_BASE_URL);
  const { name, command, passed } = program;
  const workers = { [name]: program.entry?.(MODEL_BASE_URL) ?? { adapter: name, command, env: passed } };
  const workshop = makeWorkshop({ configuration: { worker: name, workers } });
  Object.assign(workshop.environment, environment);
  writeFiles(workshop.home, program.homeFiles(MODEL_BASE_URL, workshop.repository));
  writeFiles(workshop.repository, { ...COMMANDS, ...options.planted });
  workshop.git('add', '--force', '.');
  workshop.git('update-index', '--chmod=+x', ...Object.keys(COMMANDS));
  workshop.git('commit', '-qm', 'Commands');
  const worktree = join(workshop.stateDirectory, 'worktrees', TASK);
  const at = (path: string) => join(worktree, path);
  const end = (text: string) => [
    ...(program.beforeEnd?.(at('src/x.ts')) ?? []).map((toolCalls) => ({ toolCalls })),
    { text },
  ];
  const model = await startScriptedModel({ turns: script(program.tools, at, end) });
  onTestFinished(() => model.close());
  const network = await openPrivateNetwork(join(workshop.directory, 'model.sock'), model.baseUrl);
  onTestFinished(() => network[Symbol.asyncDispose]());
  return new Bench(workshop, model, network);
}

/** What the host decided, in order, as `allow edit src/x.ts: CLAUSE`. */
export async function decisions(supervisor: Supervisor): Promise<string[]> {
  return (await eventsOf(supervisor, 'worker_decision')).map(
    ({ decision, action, clause }) => `${decision} ${action}: ${clause}`,
  );
}

export async function eventsOf(supervisor: Supervisor, type: string): Promise<Answer[]> {
  const { sections } = await supervisor.inspect(TASK, { include: ['events'] });
  return sections.events.filter((event: Answer) => event['type'] === type).map((event: Answer) => event['data']);
}

export function tokensOf(paused: Answer): Record<string, unknown> {
  return { pause_revision: paused['pause_revision'], pause_reason_hash: paused['pause_reason_hash'] };
}
