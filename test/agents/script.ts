/**
 * The language of `scripted-agent.ts`: a worker whose every move is written down beforehand. It is a real program that
 * speaks ACP on its standard streams; nothing in the product knows of it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How the agent lives; every member has a well-behaved default. */
export interface AgentScript {
  /** What it advertises: an ordinary ACP agent (default), or the capabilities, options and status of a Reasonix. */
  shape?: 'plain' | 'reasonix-1.19' | 'reasonix-1.38';
  name?: string;
  protocolVersion?: number;
  /** What happens at `initialize`. `exit`: prints a line to stderr and exits 3. `noise`: prints text to stdout, exits. */
  initialize?: 'answer' | 'silent' | 'error' | 'exit' | 'noise';
  /** `auth`: error -32000 until `authenticate` succeeded. `never`: -32000 for ever. */
  newSession?: 'answer' | 'silent' | 'error' | 'auth' | 'never';
  authMethods?: Record<string, unknown>[];
  authenticate?: 'answer' | 'silent' | 'error';
  /** Modes of a plain agent; the Reasonix shapes bring their own. The first is the one it starts in. */
  modes?: string[];
  /** Replaces the options of the shape: id to values, the first is the current one. */
  options?: Record<string, string[]>;
  setOption?: 'answer' | 'ignore' | 'error' | 'silent';
  /** Which way back into a session it advertises. Sessions are kept in `$HOME/.scripted-agent`. */
  resume?: 'none' | 'load' | 'resume' | 'both';
  /** What that way does. `empty` answers `{}` for any id, `replay` sends `replayed` old updates before the answer. */
  resumed?: 'answer' | 'empty' | 'silent' | 'replay' | 'error' | 'exit';
  replayed?: number;
  /** `late_end_turn` answers `end_turn`; `keep_writing` answers `cancelled` and writes `src/late` every 20 ms for 10 s. */
  cancel?: 'answer' | 'ignore' | 'error' | 'keep_writing' | 'late_end_turn' | 'ask';
  /** Only the Reasonix shapes advertise steering. Steered texts are said back when the turn ends. */
  steer?: 'accepted' | 'queued' | 'error';
  ignoreSigterm?: boolean;
  ignoreEnd?: boolean;
  /** Starts a child in a session of its own that sleeps for five minutes; its pid goes to `$HOME/.scripted-agent/survivor`. */
  survivor?: boolean;
  /**
   * The n-th prompt that was ever sent under this HOME performs `prompts[n]`; the last one is repeated. Each prompt's text
   * is kept in `$HOME/.scripted-agent/prompt-N.txt`, N from 0.
   */
  prompts: Prompt[];
}

export interface Prompt {
  steps: Step[];
  /** Default `end_turn`. `null` answers without one; `none` never answers. */
  stopReason?: string | null;
  error?: { code: number; message: string };
  usage?: Usage;
  /** Reasonix shapes: what the status says after the turn. Default `completed` and ready. */
  phase?: string;
  readiness?: { readyForReview: boolean; summary?: string; risks?: string[] };
}

export interface Usage {
  promptTokens: number;
  completionTokens: number;
  cacheHitTokens?: number;
}

/** Asking before an effect. A denied effect is skipped, unless `anyway`. */
export interface Asking {
  ask?: boolean;
  /** The request leaves rawInput and locations out; a `tool_call_update` brings them so many milliseconds later; -1 never. */
  lateMs?: number;
  /** Members that replace those of the request's `toolCall`, to lie with. */
  toolCall?: Record<string, unknown>;
  /** Option kinds on offer; default allow_once, allow_always, reject_once. */
  offered?: string[];
  /** Acts although it was denied. */
  anyway?: boolean;
  /** Asks again after a denial, so many times altogether. */
  times?: number;
}

/** Paths are relative to the worktree, or absolute. A failing effect is said in the agent's last message, not fatal. */
export type Step =
  | ({ do: 'write'; path: string; content: string; via?: 'self' | 'client' } & Asking)
  | ({ do: 'edit'; path: string; from: string; to: string } & Asking)
  | ({ do: 'append'; path: string; content: string } & Asking)
  | ({ do: 'delete'; path: string } & Asking)
  | ({ do: 'move'; path: string; to: string } & Asking)
  | ({ do: 'symlink'; path: string; target: string } & Asking)
  | ({ do: 'chmod'; path: string; mode: number } & Asking)
  | ({ do: 'mkdir'; path: string } & Asking)
  | ({ do: 'read'; path: string } & Asking)
  /** `argv` is run without a shell. `text` is what the request shows instead of static argv (a Reasonix shape shows both). */
  | ({ do: 'run'; argv: string[]; cwd?: string; text?: string } & Asking)
  /** A question to the supervisor; the answer is said. */
  | { do: 'question'; question: string; answers: string[] }
  | { do: 'say'; text: string }
  | { do: 'think'; text: string }
  | { do: 'sleep'; ms: number }
  /** Waits until this file exists (in the worktree, or absolute), at most 30 s. */
  | { do: 'wait_for'; path: string }
  | { do: 'usage'; usage: Usage }
  | { do: 'stderr'; text: string }
  /** Raw text on stdout, as it is. */
  | { do: 'stdout'; text: string }
  /** `count` updates of `bytes` bytes each. */
  | { do: 'updates'; count: number; bytes: number }
  /** One line of that many bytes without a newline at its end. */
  | { do: 'endless_line'; bytes: number }
  | { do: 'stderr_flood'; bytes: number }
  /** `count` requests of a method that no client offers, without waiting for the answers. */
  | { do: 'requests'; method: string; params?: Record<string, unknown>; count: number }
  /**
   * One request to the host; what it answered is said, as `METHOD {"result":…}` or `METHOD {"error":…}`. `$WORKTREE` in a text
   * of the parameters is the worktree, `$TERMINAL` the terminal that the last answer named.
   */
  | { do: 'request'; method: string; params?: Record<string, unknown> }
  | { do: 'close_stdout' }
  | { do: 'exit'; code: number }
  | { do: 'kill_self'; signal: 'SIGKILL' | 'SIGSEGV' };

/** Writes a script as JSON into a folder and returns its path; `name` tells several apart. */
export function writeScript(directory: string, script: AgentScript, name = 'script'): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${name}.json`);
  writeFileSync(path, JSON.stringify(script, null, 1));
  return path;
}

/** The argv that performs a script. */
export function scriptedAgentCommand(scriptPath: string): string[] {
  return [process.execPath, fileURLToPath(new URL('./scripted-agent.ts', import.meta.url)), scriptPath];
}
