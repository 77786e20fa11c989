/** Starts a scripted agent through the worker's door, unconfined, with real policy over `src/**`. */
import { silentLog } from '../../src/base/index.ts';
import { decide, type PolicyRules } from '../../src/policy/index.ts';
import {
  startWorker,
  type TurnOutcome,
  type WorkerAnswer,
  type WorkerEvent,
  type WorkerOptions,
  type WorkerQuestion,
  type WorkerSession,
} from '../../src/worker/index.ts';
import { type AgentBench, openAgentBench } from './agent-bench.ts';
import type { AgentScript, Step } from './script.ts';

const RULES: PolicyRules = {
  classifyPath: (path) => (path.startsWith('src/') ? { kind: 'in_scope', pattern: 'src/**' } : { kind: 'outside' }),
  verification: [{ id: 'V1', argv: ['node', '--test'], cwd: '' }],
  allowedCommands: [],
};

export interface ScriptedWorker extends AsyncDisposable {
  readonly bench: AgentBench;
  readonly events: WorkerEvent[];
  readonly questions: WorkerQuestion[];
  /** Fails the test when the start was refused. */
  session(): WorkerSession;
  readonly refusal: { failure: string; reason: string } | undefined;
}

export interface Trial extends Partial<Omit<WorkerOptions, 'ask'>> {
  bench?: AgentBench;
  answer?: (question: WorkerQuestion, signal: AbortSignal) => WorkerAnswer | Promise<WorkerAnswer>;
}

export async function startScripted(script: AgentScript, trial: Trial = {}): Promise<ScriptedWorker> {
  const { bench = openAgentBench(), answer = () => ({ kind: 'cancelled' }) as const, ...overrides } = trial;
  const events: WorkerEvent[] = [];
  const questions: WorkerQuestion[] = [];
  const outcome = await startWorker({
    adapter: script.shape?.startsWith('reasonix') ? 'reasonix' : 'acp',
    name: 'scripted',
    command: bench.command(script),
    worktree: bench.worktree,
    home: bench.home,
    lane: 'fast',
    effort: 'medium',
    network: false,
    environment: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    launch: (argv, env) => ({ argv, env, cwd: bench.worktree }),
    launcherFailure: () => undefined,
    decide: (action) => decide({ ...RULES, worktree: bench.worktree }, action),
    ask: async (question, signal) => {
      questions.push(question);
      return answer(question, signal);
    },
    onEvent: (event) => events.push(event),
    log: silentLog,
    ...overrides,
    timeouts: { stopMs: 500, ...overrides.timeouts },
  }).catch((error) => {
    if (trial.bench === undefined) bench[Symbol.dispose]();
    throw error;
  });
  return {
    bench,
    events,
    questions,
    refusal: outcome.kind === 'refused' ? outcome : undefined,
    session() {
      if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.reason}`);
      return outcome.session;
    },
    async [Symbol.asyncDispose]() {
      if (outcome.kind === 'started') await outcome.session.stop();
      if (trial.bench === undefined) bench[Symbol.dispose]();
    },
  };
}

/** One prompt with these steps, from start to end. */
export async function performSteps(
  steps: Step[],
  script: Partial<AgentScript> = {},
  trial: Trial = {},
): Promise<{ outcome: TurnOutcome; worker: ScriptedWorker } & AsyncDisposable> {
  const worker = await startScripted({ prompts: [{ steps }], ...script }, trial);
  const outcome = await worker.session().prompt('do it');
  return { outcome, worker, [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() };
}

/** Whether a process still exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
