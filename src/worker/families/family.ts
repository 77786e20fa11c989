import type { Lane } from '../options.ts';

/** One file that an agent needs of its user's home. */
export interface HomeFile {
  /** Relative to `root`. */
  readonly path: string;
  /** The folder that holds it: a variable of the user's environment that may name it, else where it stands in the home. */
  readonly root: { readonly variable?: string; readonly inHome: string };
}

/** What differs between families of agents; everything else is ACP and read from what the agent advertises. */
export interface Family {
  /** Who makes it, for the reference. */
  readonly title: string;
  /** How a configuration starts it. */
  readonly command: readonly string[];
  /** Names of its program, by which it is known where the configuration says only `acp`. */
  readonly programs: readonly string[];
  /** How to get one, for the error when it is missing. */
  readonly install: string;
  /** How to log in, for the error when it asks for that. */
  readonly login: string;

  /** Arguments that follow the configured ones. */
  arguments(options: { readonly network: boolean }): readonly string[];
  /** Variables that Remit sets, over whatever the operator let through. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables of the host that it sees without being told to: its own key and endpoint. */
  readonly passes: readonly string[];
  /** `_meta` of every session that is opened. */
  readonly sessionMeta?: Readonly<Record<string, unknown>>;

  /** Files that are copied into the task's private home. */
  readonly files: readonly HomeFile[];
  /** Files and folders of a repository that could run code in this agent or lift its asking: hidden from it. */
  readonly repositorySettings: readonly string[];

  /** Options by id that the lane sets, first choice first. */
  laneOptions(lane: Lane): readonly { readonly id: string; readonly values: readonly string[] }[];
  /** Modes to choose from, the first that is offered; none: the session's own is left. */
  modes(lane: Lane, current: string | undefined): readonly string[];
  /** The option that makes it ask before effects, and its acceptable values; without one of them it is incompatible. */
  readonly asking?: { readonly id: string; readonly values: readonly string[] };
  /** Whether the mode must be set again before each further prompt. */
  readonly modeEndsWithTurn: boolean;
  /** Why effort must be left alone in this mode, when it must. */
  effortIsHarmful(mode: string | undefined, optionIds: readonly string[]): string | undefined;
  /** Whether it works through the host's services instead of inside its own mounts alone. */
  readonly worksThroughHost: boolean;
  /** A permission request that is in truth a question to the user. */
  isQuestion(toolCallId: string, kind: string | undefined): boolean;

  /** For the reference: how it is made to ask, what switches the repository's settings off, what is lost. Plain sentences. */
  readonly notes: { readonly asks: string; readonly switchedOff: string; readonly lost: string };
}

/** What most agents that speak ACP have in common. */
export const USUAL = {
  arguments: () => [],
  environment: {},
  passes: [],
  laneOptions: () => [],
  modes: () => ['default'],
  modeEndsWithTurn: false,
  effortIsHarmful: () => undefined,
  isQuestion: () => false,
  worksThroughHost: false,
} satisfies Partial<Family>;

export const HOME = { inHome: '' };
export const CONFIG = { variable: 'XDG_CONFIG_HOME', inHome: '.config' };
export const DATA = { variable: 'XDG_DATA_HOME', inHome: '.local/share' };
export const REASONIX_HOME = { variable: 'REASONIX_HOME', inHome: '.reasonix' };
export const CODEX_HOME = { variable: 'CODEX_HOME', inHome: '.codex' };

export function filesIn(root: HomeFile['root'], ...paths: readonly string[]): HomeFile[] {
  return paths.map((path) => ({ path, root }));
}
