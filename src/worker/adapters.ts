import { basename } from 'node:path';
import type { AdapterName, AgentProgram, Lane } from './options.ts';

/** What differs between families of agents; everything else is ACP and read from what the agent advertises. */
export interface Adapter {
  /** How to get one, for the error when it is missing. */
  readonly install: string;
  /** How to log in, for the error when it asks for that. */
  readonly login: string;
  /** Options by id that the lane sets, first choice first. */
  laneOptions(lane: Lane): readonly { readonly id: string; readonly values: readonly string[] }[];
  /** Modes to choose from, the first that is offered. */
  modes(lane: Lane): readonly string[];
  /** The option that makes it ask before effects, and its acceptable values; without one of them it is incompatible. */
  readonly asking?: { readonly id: string; readonly values: readonly string[] };
  /** Whether the mode must be set again before each further prompt. */
  readonly modeEndsWithTurn: boolean;
  /** Why effort must be left alone in this mode, when it must. */
  effortIsHarmful(mode: string | undefined, optionIds: readonly string[]): string | undefined;
  /** A permission request that is in truth a question to the user. */
  isQuestion(toolCallId: string, kind: string | undefined): boolean;
}

const reasonix: Adapter = {
  install: 'install it with `npm install -g reasonix`, or set REASONIX_BIN to its program',
  login: 'put its key into config.toml and .env of $REASONIX_HOME (by default ~/.reasonix); `reasonix setup` does that',
  // Work modes went away after 1.19; there the lane is the mode alone.
  laneOptions: (lane) => [{ id: 'work_mode', values: [lane === 'deep' ? 'delivery' : 'economy'] }],
  modes: (lane) => [lane === 'deep' ? 'goal' : 'normal'],
  asking: { id: 'tool_approval', values: ['ask', 'read-only'] },
  // A goal that is reached puts the session back into normal mode.
  modeEndsWithTurn: true,
  // Seen in 1.38.11: the first goal after a change of effort fails, "session runtime is not attached". 1.19 is not affected.
  effortIsHarmful: (mode, optionIds) =>
    mode === 'goal' && !optionIds.includes('work_mode') ? 'this Reasonix fails when it is set in mode goal' : undefined,
  isQuestion: (toolCallId, kind) => kind === 'other' && toolCallId.startsWith('ask-'),
};

const acp: Adapter = {
  install: 'install the agent, and name its program by an absolute path or one on PATH in the configuration',
  login: 'start the agent once by hand and log in',
  laneOptions: () => [],
  // The mode that asks most; `plan` would ask nothing, because it edits nothing.
  modes: () => ['read-only', 'default', 'ask'],
  modeEndsWithTurn: false,
  effortIsHarmful: () => undefined,
  isQuestion: () => false,
};

const ADAPTERS: Readonly<Record<AdapterName, Adapter>> = { reasonix, acp };

export function adapterOf(name: AdapterName): Adapter {
  return ADAPTERS[name];
}

/** What one known program needs beyond its family, so that the repository's own settings run no code in it. */
export interface ProgramTraits {
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly sessionMeta?: Readonly<Record<string, unknown>>;
}

const TRAITS: readonly { readonly names: readonly string[]; readonly traits: ProgramTraits }[] = [
  {
    names: ['claude-agent-acp', 'claude-code-acp'],
    traits: { sessionMeta: { claudeCode: { options: { settingSources: ['user'] } } } },
  },
  { names: ['opencode'], traits: { environment: { OPENCODE_DISABLE_PROJECT_CONFIG: '1' } } },
  { names: ['qwen', 'qwen-code'], traits: { arguments: ['--safe-mode'] } },
];

export function programTraits(program: AgentProgram): ProgramTraits {
  const names = programNames(program);
  return TRAITS.find((known) => known.names.some((name) => names.has(name)))?.traits ?? {};
}

/** The names under which a program may be known: its own, and that of a script given to an interpreter. */
export function programNames(program: AgentProgram): ReadonlySet<string> {
  const words = program.command.slice(0, 2).map((word) => basename(word).replace(/\.(?:[cm]?js|exe)$/, ''));
  return new Set(words);
}

/**
 * The argv that starts a worker, before confinement. Reasonix's own sandbox is left to `auto` inside Remit's: a nested
 * one cannot always be made, and `enforce` would then refuse every command.
 */
export function workerLaunchArguments(
  program: AgentProgram,
  options: { readonly network: boolean },
): readonly string[] {
  if (program.adapter !== 'reasonix') return [...program.command, ...(programTraits(program).arguments ?? [])];
  const command = program.command.includes('acp') ? program.command : [...program.command, 'acp'];
  const network = options.network ? 'on' : 'off';
  // Last, because the last of two equal flags counts.
  return [...command, '--planner=off', '--sandbox-network', network, '--workspace-only', '--sandbox-bash', 'auto'];
}
