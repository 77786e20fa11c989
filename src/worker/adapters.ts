import { basename } from 'node:path';
import { anyAgent } from './families/any-agent.ts';
import { builtin } from './families/builtin.ts';
import { claudeAgentAcp } from './families/claude-agent-acp.ts';
import { codexAcp } from './families/codex-acp.ts';
import type { Family } from './families/family.ts';
import { gemini } from './families/gemini.ts';
import { opencode } from './families/opencode.ts';
import { qwen } from './families/qwen.ts';
import { reasonix } from './families/reasonix.ts';
import type { AdapterName, AgentProgram } from './options.ts';

/** The families that Remit knows the differences of, by the name that the configuration gives them. */
export const FAMILIES: Readonly<Record<AdapterName, Family>> = {
  builtin,
  reasonix,
  opencode,
  'codex-acp': codexAcp,
  gemini,
  'claude-agent-acp': claudeAgentAcp,
  qwen,
  acp: anyAgent,
};

/** The family of a worker: the one that its adapter names, and for `acp` the one that its program is known to be of. */
export function familyOf(program: AgentProgram): Family {
  if (program.adapter !== 'acp') return FAMILIES[program.adapter];
  const names = programNames(program);
  // What speaks Reasonix's ACP is said by the adapter alone: it changes what is set, not only what is kept away.
  const known = Object.values(FAMILIES).filter((family) => family !== reasonix);
  return known.find((family) => family.programs.some((name) => names.has(name))) ?? anyAgent;
}

/** The names under which a program may be known: its own, and that of what is given to an interpreter or a launcher. */
function programNames({ command }: AgentProgram): ReadonlySet<string> {
  const [program = '', ...args] = command;
  const first = args.find((word) => !word.startsWith('-'));
  const words = [program, ...(first === undefined ? [] : [first])];
  return new Set(
    words.map((word) =>
      basename(word)
        .replace(/\.(?:[cm]?js|exe)$/, '')
        .replace(/(?<=.)@[^@]*$/, ''),
    ),
  );
}

/** Whether the host performs the effects of this worker: whoever starts it hands in its services. */
export function worksThroughHost(program: AgentProgram): boolean {
  return familyOf(program).worksThroughHost;
}

/** The argv that starts a worker, before confinement. What Remit adds stands last, because the last of two equal flags counts. */
export function workerLaunchArguments(
  program: AgentProgram,
  options: { readonly network: boolean },
): readonly string[] {
  const isBare = program.adapter === 'reasonix' && !program.command.includes('acp');
  return [...program.command, ...(isBare ? ['acp'] : []), ...familyOf(program).arguments(options)];
}
