import { splitModel, workerProgramPath } from '../agent/index.ts';
import { visibleLine } from '../base/index.ts';
import { findExecutable } from '../process/index.ts';
import type { AdapterName } from '../worker/index.ts';
import { builtinSettings } from './builtin-worker.ts';
import type { ResolvedSettings } from './settings.ts';
import type { BuiltinWorker, ConfiguredWorker } from './worker-configuration.ts';

/** A worker that can be started: its program is absolute and exists. */
export interface WorkerConfiguration {
  readonly name: string;
  readonly adapter: AdapterName;
  /** Absolute program and its arguments. */
  readonly command: readonly string[];
  /** Absent: the agent's own. */
  readonly model?: string;
  /** Variables that it is told its settings by. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Names of the host's variables to pass through. */
  readonly env: readonly string[];
  /** `host:port`; absent: the adapter's own list. */
  readonly egress?: readonly string[];
  /** Absolute folders outside the worktree that it may write. */
  readonly writable: readonly string[];
}

export type WorkerSelection =
  | { readonly kind: 'worker'; readonly worker: WorkerConfiguration }
  | {
      readonly kind: 'none';
      readonly reason: string;
      /** Which error tells it: `reasonix_unavailable` or `worker_unavailable`. */
      readonly family: 'reasonix' | 'worker';
    };

export interface SelectionFacts {
  readonly resolved: ResolvedSettings;
  /** The settings file, for advice. */
  readonly file: string;
  readonly searchPath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const REASONIX: ConfiguredWorker = { adapter: 'reasonix', command: ['reasonix', 'acp'], env: [], writable: [] };

/**
 * The named worker. Without a name the default one: what the settings name (or the only worker that they hold), else
 * REASONIX_BIN, else the bundled one when a model is configured for it, else `reasonix` on PATH.
 */
export function selectWorker(facts: SelectionFacts, name?: string): WorkerSelection {
  const wanted = name ?? defaultName(facts.resolved);
  const worker = workerNamed(facts, wanted);
  if (worker === undefined) return none('worker', `There is no worker named ${visibleLine(wanted)}; ${known(facts)}.`);
  if (worker.adapter === 'builtin') return bundled(facts, wanted, worker.model === '' ? undefined : worker);
  return located(facts, wanted, worker);
}

/** The worker that comes with Remit: its program is ours, and its settings go to it through its environment. */
function bundled(facts: SelectionFacts, name: string, entry: BuiltinWorker | undefined): WorkerSelection {
  // Without an entry a name that fits no provider is told as such; beside one it may be meant for another agent.
  const model = entry === undefined ? givenModel(facts.resolved) : namedModel(facts.resolved);
  const { environment, reading } = builtinSettings(entry, facts.environment, model);
  if (reading.kind !== 'configured') {
    if (entry === undefined) return none('worker', reading.problem);
    const unset =
      reading.kind === 'no_key' && entry.apiKeyEnv !== undefined
        ? ` ${entry.apiKeyEnv}, which apiKeyEnv names, is not set.`
        : '';
    return none('worker', `${reading.problem}${unset} (Worker ${visibleLine(name)} in ${visibleLine(facts.file)}.)`);
  }
  const { env = [], writable = [], egress } = entry ?? {};
  return {
    kind: 'worker',
    worker: {
      ...{ name, adapter: 'builtin', command: [process.execPath, workerProgramPath()], environment, env, writable },
      ...(egress === undefined ? {} : { egress }),
    },
  };
}

/** A model of the bundled worker that a flag or REMIT_MODEL names; another name is another agent's matter. */
function namedModel(resolved: ResolvedSettings): string | undefined {
  const given = givenModel(resolved);
  return given !== undefined && splitModel(given) !== undefined ? given : undefined;
}

function givenModel({ values, sources }: ResolvedSettings): string | undefined {
  return sources.model === 'flag' || sources.model === 'variable' ? values.model : undefined;
}

function defaultName(resolved: ResolvedSettings): string {
  const { values, sources } = resolved;
  const names = Object.keys(values.workers);
  const [only] = names;
  if (values.worker !== undefined) return values.worker;
  if (only !== undefined && names.length === 1) return only;
  if (sources.reasonixProgram === 'older') return 'reasonix';
  const configured = names.find((name) => values.workers[name]?.adapter === 'builtin');
  return configured ?? (namedModel(resolved) === undefined ? 'reasonix' : 'builtin');
}

function workerNamed({ resolved: { values } }: SelectionFacts, name: string): ConfiguredWorker | undefined {
  if (Object.hasOwn(values.workers, name)) return values.workers[name];
  if (name === 'reasonix') return REASONIX;
  return name === 'builtin' ? { adapter: 'builtin', model: '', env: [], writable: [] } : undefined;
}

function located(
  facts: SelectionFacts,
  name: string,
  worker: Exclude<ConfiguredWorker, { adapter: 'builtin' }>,
): WorkerSelection {
  const { reasonixProgram } = facts.resolved.values;
  const isNamedByVariable = name === 'reasonix' && worker.adapter === 'reasonix' && reasonixProgram !== undefined;
  const [configured = '', ...args] = worker.command;
  const program = isNamedByVariable ? reasonixProgram : configured;
  const path = findExecutable(program, facts.searchPath);
  if (path === undefined)
    return none(
      worker.adapter === 'reasonix' ? 'reasonix' : 'worker',
      missing(facts, name, program, isNamedByVariable ? 'REASONIX_BIN' : undefined),
    );
  const { adapter, env, writable, egress } = worker;
  const model = modelOf(facts.resolved, worker);
  return {
    kind: 'worker',
    worker: {
      name,
      adapter,
      command: [path, ...args],
      env,
      writable,
      ...(egress === undefined ? {} : { egress }),
      ...(model === undefined ? {} : { model }),
    },
  };
}

/** Flag and variables before the file, in the file the worker's own before the general one. */
function modelOf({ values, sources }: ResolvedSettings, worker: ConfiguredWorker): string | undefined {
  if (sources.model === 'flag' || sources.model === 'variable') return values.model;
  const older = worker.adapter === 'reasonix' ? values.reasonixModel : undefined;
  return older ?? worker.model ?? values.model;
}

function missing(facts: SelectionFacts, name: string, program: string, variable: string | undefined): string {
  const shown = visibleLine(program);
  if (variable !== undefined) {
    return `${variable} names ${shown}, which is no executable file${program.startsWith('/') ? '' : ' on PATH'}: correct or unset it.`;
  }
  if (Object.hasOwn(facts.resolved.values.workers, name)) {
    return `The program ${shown} of worker ${name} is no executable file${program.startsWith('/') ? '' : ' on PATH'}: install it, or correct "workers.${name}.command" in ${visibleLine(facts.file)}.`;
  }
  return (
    'No worker was found: set REMIT_MODEL to use the bundled one (for example openai-compatible:gpt-5, with REMIT_BASE_URL and REMIT_API_KEY), or install Reasonix (`npm install -g reasonix`) so that `reasonix` is on PATH, or set REASONIX_BIN to its program, ' +
    `or name any agent that speaks ACP in ${visibleLine(facts.file)}, for example {"worker":"opencode","workers":{"opencode":{"adapter":"acp","command":["opencode","acp"]}}}.`
  );
}

function known({ resolved, file }: SelectionFacts): string {
  const names = new Set([...Object.keys(resolved.values.workers), 'builtin', 'reasonix']);
  return `known: ${[...names].map(visibleLine).join(', ')} (add others under "workers" in ${visibleLine(file)})`;
}

function none(family: 'reasonix' | 'worker', reason: string): WorkerSelection {
  return { kind: 'none', family, reason };
}
