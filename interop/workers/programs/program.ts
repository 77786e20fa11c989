/** What the scenarios need to know of one real agent: its differences, and nothing that all of them share. */
import { existsSync } from 'node:fs';
import type { ScriptedToolCall } from '../../../test/model/script.ts';
import type { Files } from '../../shared/files.ts';
import { installedVersion } from '../../shared/installed.ts';
import { noPrivateNetwork } from '../../shared/private-network.ts';

/** How the agent's model calls the agent's tools. Paths are absolute: several agents take no others. */
export interface ModelTools {
  read(path: string): ScriptedToolCall;
  /** `from` and `to` are whole lines. */
  edit(path: string, from: string, to: string): ScriptedToolCall;
  run(command: string): ScriptedToolCall;
  /** Absent: this agent's model has no way to ask the user over ACP. */
  ask?(question: string, answers: readonly string[]): ScriptedToolCall;
}

export interface WorkerProgram {
  /** Its name under `workers`, and its adapter. */
  readonly name: string;
  /** Absent: it is a part of Remit. */
  readonly packageName?: string;
  /** Absolute program and arguments. */
  readonly command: readonly string[];
  /** Its entry under `workers`, where that is not adapter, command and passed variables. */
  entry?(modelBaseUrl: string): Readonly<Record<string, unknown>>;
  /** Variables of the operator; the configuration entry names those that Remit does not pass by itself. */
  environment(modelBaseUrl: string): Readonly<Record<string, string>>;
  readonly passed: readonly string[];
  /** Files of the user's home, who trusts this repository wherever the agent has a notion of that. */
  homeFiles(modelBaseUrl: string, repository: string): Files;
  readonly tools: ModelTools;
  /** Answers of the model without which a turn that changed this path cannot end; each with its calls. */
  beforeEnd?(path: string): readonly (readonly ScriptedToolCall[])[];

  /** `hidden_in_title`: it names commands in a title only, so that every one is refused. */
  readonly commands: 'named' | 'hidden_in_title';
  /** What a refusal does to its turn. */
  readonly afterRefusal: 'goes_on' | 'turn_cancelled';
  /** Whether it says how many tokens it used. */
  readonly reportsUsage: boolean;
  /** Whether a new process of it always finds back into an earlier session. */
  readonly remembers: 'always' | 'not_always';
  /** Whether it can be guided while it works. */
  readonly steers: boolean;
  /**
   * What a hostile repository brings along for it. Whatever of it runs makes a file `src/planted-…`, which the scope
   * covers; whatever of it counts as permission lifts the asking.
   */
  readonly planted: Files;
  /** Of these the review says that they were hidden. */
  readonly hidden: readonly string[];
  /** Whether it takes none of them even where a scope that reaches into them keeps them in sight. */
  readonly ownSwitch: boolean;
}

/** Program and version, for the name of a test. */
export function titleOf({ name, packageName }: WorkerProgram): string {
  return `${name} ${packageName === undefined ? '' : (installedVersion(packageName) ?? '')}`.trim();
}

/** Why the program cannot run here, as the end of a sentence; nothing when it can. */
export function whyNot({ packageName, command }: WorkerProgram): string | undefined {
  if (packageName !== undefined && installedVersion(packageName) === undefined)
    return 'is not installed: run `make interop`';
  const missing = command.find((word) => word.startsWith('/') && !existsSync(word));
  if (missing !== undefined) return `has no program for this machine: ${missing} is missing`;
  return noPrivateNetwork;
}
