import type { z } from 'zod';
import type { Log } from '../base/index.ts';
import type { Action, Decision } from '../policy/index.ts';
import type { StartOptions } from '../process/index.ts';
import type {
  Claim,
  ClaimAnswer,
  changeAnswerSchema,
  commandResultSchema,
  Expectation,
  GateAnswer,
} from '../protocol/index.ts';
import type { WorkerEvent } from './events.ts';

/**
 * The families of agents that Remit knows the differences of. `acp` is an agent that speaks ACP and is known by the name of
 * its program, or not at all.
 */
export const ADAPTER_NAMES = [
  'builtin',
  'reasonix',
  'opencode',
  'codex-acp',
  'gemini',
  'claude-agent-acp',
  'qwen',
  'acp',
] as const;
export type AdapterName = (typeof ADAPTER_NAMES)[number];

/** How a worker goes about its work, in the words of whoever delegates. */
export const LANES = ['fast', 'deep'] as const;
export type Lane = (typeof LANES)[number];

/** How hard its model thinks. */
export const EFFORTS = ['low', 'medium', 'high', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** The program of a worker and the family that it belongs to. */
export interface AgentProgram {
  readonly adapter: AdapterName;
  /** Its program, absolute, and arguments. */
  readonly command: readonly string[];
}

/** What to start, where, and what the host hands in: confinement, policy, the supervisor, a place for events. */
export interface WorkerOptions extends AgentProgram {
  readonly name: string;
  /** Absolute path of the task's worktree. */
  readonly worktree: string;
  readonly lane: Lane;
  readonly effort: Effort;
  /** A model to choose where the agent offers a choice; absent: the agent's own. */
  readonly model?: string | undefined;
  readonly network: boolean;
  /** Already filtered by the caller; the worker adds what its family and `describeWorkerHome` name. */
  readonly environment: Readonly<Record<string, string>>;
  /** The task's private home for the agent; absent: the variables of the environment stay as they are. */
  readonly home?: string | undefined;
  /** Files of the user's home that could not be copied into the private one: named when the agent does not start. */
  readonly leftOut?: readonly string[] | undefined;
  /** Wraps the worker's argv and environment in its confinement. */
  launch(argv: readonly string[], environment: Readonly<Record<string, string>>): StartOptions;
  /** The confinement's own failure in what a process that ended at once wrote to stderr, or `undefined`. */
  launcherFailure(stderr: string): { readonly reason: string; readonly advice: string } | undefined;
  /** Policy, bound to the task's contract. */
  decide(action: Action): Decision;
  /** Puts a question to the supervisor; the signal aborts when the question no longer matters. */
  ask(question: WorkerQuestion, signal: AbortSignal): Promise<WorkerAnswer>;
  onEvent(event: WorkerEvent): void;
  /** Present: a family that works through the host is offered these; every other works inside its own mounts. */
  readonly services?: HostServices | undefined;
  /** Continue this session instead of opening a new one, where the agent can. */
  readonly resume?: { readonly sessionId: string } | undefined;
  /** Aborted: the start is given up and everything that was started is ended. */
  readonly signal?: AbortSignal | undefined;
  readonly timeouts?: Partial<WorkerTimeouts> | undefined;
  readonly log: Log;
}

/**
 * Effects that the host performs for a worker that works through it; each was allowed before it is asked for here. Paths
 * are relative to the worktree, in byte-path form. Every effect is on record before its answer.
 */
export interface HostServices {
  /** Hands over `lines` (all when left out): what counts as seen. */
  readFile(path: string, lines?: { readonly from: number; readonly count: number }): Promise<ServiceReading>;
  writeFile(path: string, content: Buffer, how: { expected?: Expectation; mode?: number }): Promise<ServiceChange>;
  moveFile(from: string, to: string, how: { expected: Expectation }): Promise<ServiceChange>;
  removeFile(path: string, how: { expected?: Expectation }): Promise<ServiceChange>;
  /** Never rejects for what the program does. `outputBytes`: the most that is kept of each of stdout and stderr. */
  runCommand(
    argv: readonly string[],
    cwd: string,
    how: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly outputBytes: number },
  ): Promise<ServiceCommandEnd>;
  claim(claim: Claim): Promise<ClaimAnswer>;
  gate(): Promise<GateAnswer>;
}

/** `text` is what was asked for, the rest is of the whole file. */
export type ServiceReading =
  | {
      readonly kind: 'file';
      readonly text: string;
      readonly sha256: string;
      readonly totalLines: number;
      readonly mode: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: string };

export type ServiceChange = z.output<typeof changeAnswerSchema>;
export type ServiceCommandEnd = z.output<typeof commandResultSchema> | { readonly refused: string };

/** A permission that policy leaves to the supervisor, or a question of the agent itself. */
export interface WorkerQuestion {
  readonly kind: 'permission' | 'input';
  /** One line, at most 500 characters, controls escaped. */
  readonly title: string;
  /** JSON, at most about 8 KiB, secrets redacted. */
  readonly detail: Record<string, unknown>;
  readonly options: readonly { readonly id: string; readonly name: string; readonly kind?: string }[];
}

export type WorkerAnswer =
  | { readonly kind: 'option'; readonly optionId: string }
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'cancelled' };

/** How long an agent may take; all in milliseconds. A prompt itself has no limit here: its deadline is the caller's. */
export interface WorkerTimeouts {
  readonly initializeMs: number;
  readonly authenticateMs: number;
  /** For a new, loaded or resumed session. */
  readonly sessionMs: number;
  /** For each mode, option, steer and status request. */
  readonly requestMs: number;
  /** How long a permission request is held for details that come in a later update. */
  readonly detailMs: number;
  /** How long a cancelled turn may take to end before the process tree is killed. */
  readonly cancelMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly stopMs: number;
}

export const DEFAULT_TIMEOUTS: WorkerTimeouts = {
  // Some agents unpack or migrate at their first start, on machines that are busy.
  initializeMs: 60_000,
  authenticateMs: 30_000,
  sessionMs: 60_000,
  requestMs: 15_000,
  detailMs: 1_000,
  cancelMs: 5_000,
  stopMs: 2_000,
};
