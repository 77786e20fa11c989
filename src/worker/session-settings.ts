import { z } from 'zod';
import { AgentFailure, type AgentProcess } from './agent-process.ts';
import type { Family } from './families/family.ts';
import type { Effort, WorkerOptions } from './options.ts';

/** What a session offers to set, as `session/new`, `load` or `resume` answered it. */
export interface SessionOffer {
  readonly modes: readonly string[];
  readonly currentMode: string | undefined;
  readonly options: readonly OfferedOption[];
}

interface OfferedOption {
  readonly id: string;
  readonly category: string | undefined;
  readonly current: string | undefined;
  readonly values: readonly string[];
}

/** How the session stands after the lane and effort were set. */
export interface AppliedSettings {
  readonly mode?: string;
  readonly workMode?: string;
  readonly effort?: string;
  /** What was wanted and is not offered, or was refused; for the record. */
  readonly notOffered: readonly string[];
}

/** The agent has no setting in which it asks before effects. */
export class NeverAsks extends Error {
  override readonly name = 'NeverAsks';
}

const valueSchema = z.object({ value: z.string() });
const groupSchema = z.object({ options: z.array(valueSchema.nullable().catch(null)) });
const optionSchema = z.object({
  id: z.string(),
  category: z.string().optional().catch(undefined),
  currentValue: z.string().optional().catch(undefined),
  options: z.array(z.union([valueSchema, groupSchema]).nullable().catch(null)).catch([]),
});
const offerSchema = z.object({
  modes: z
    .object({
      currentModeId: z.string().optional().catch(undefined),
      availableModes: z.array(z.object({ id: z.string() }).nullable().catch(null)).catch([]),
    })
    .nullish()
    .catch(undefined),
  configOptions: z.array(optionSchema.nullable().catch(null)).nullish().catch(undefined),
});

/** Reads what a session offers; members of unknown shape are left out. */
export function readOffer(answer: unknown): SessionOffer {
  const parsed = offerSchema.safeParse(answer);
  const { modes, configOptions } = parsed.success ? parsed.data : {};
  const options = (configOptions ?? []).filter((option) => option !== null);
  return {
    modes: (modes?.availableModes ?? []).flatMap((mode) => (mode === null ? [] : [mode.id])),
    currentMode: modes?.currentModeId,
    options: options.map(({ id, category, currentValue, options: offered }) => ({
      id,
      category,
      current: currentValue,
      values: offered.flatMap((entry) => {
        if (entry === null) return [];
        return 'value' in entry
          ? [entry.value]
          : entry.options.flatMap((inner) => (inner === null ? [] : [inner.value]));
      }),
    })),
  };
}

/** What an effort may be called, best first. */
const EFFORT_VALUES: Readonly<Record<Effort, readonly string[]>> = {
  low: ['low', 'minimal'],
  medium: ['medium'],
  high: ['high'],
  max: ['max', 'xhigh', 'high'],
};

/** Sets mode, lane options, model, effort and asking. Throws `NeverAsks`, or `AgentFailure` when the agent is gone. */
export async function applySettings(
  agent: AgentProcess,
  family: Family,
  sessionId: string,
  offer: SessionOffer,
  wanted: Pick<WorkerOptions, 'lane' | 'effort' | 'model'> & { readonly requestMs: number },
): Promise<AppliedSettings> {
  const setter = new Setter(agent, sessionId, offer, wanted.requestMs);
  const laneOptions = new Map<string, string | undefined>();
  for (const option of family.laneOptions(wanted.lane)) {
    laneOptions.set(option.id, await setter.option((known) => known.id === option.id, option.values));
  }
  const mode = await setter.mode(family.modes(wanted.lane, offer.currentMode));
  if (wanted.model !== undefined) await setter.option((known) => known.id === 'model', [wanted.model], 'model');
  const effort = await setEffort(
    setter,
    wanted.effort,
    family.effortIsHarmful(
      mode,
      offer.options.map((option) => option.id),
    ),
  );
  if (family.asking) await requireAsking(setter, family.asking);
  const workMode = laneOptions.get('work_mode');
  return {
    ...(mode !== undefined && { mode }),
    ...(workMode !== undefined && { workMode }),
    ...(effort !== undefined && { effort }),
    notOffered: setter.notOffered,
  };
}

async function setEffort(setter: Setter, wanted: Effort, harm: string | undefined): Promise<string | undefined> {
  const isEffort = (known: OfferedOption) => known.category === 'thought_level' || /effort/.test(known.id);
  if (harm === undefined) return setter.option(isEffort, EFFORT_VALUES[wanted], `effort ${wanted}`);
  setter.notOffered.push(`effort ${wanted} (${harm})`);
  return setter.option(isEffort, []);
}

async function requireAsking(setter: Setter, asking: NonNullable<Family['asking']>): Promise<void> {
  const wanted = `${asking.id} ${asking.values.join(' or ')}`;
  const set = await setter.option((known) => known.id === asking.id, asking.values, wanted);
  if (set !== undefined && asking.values.includes(set)) return;
  throw new NeverAsks(`it offers no ${wanted}, so it would edit without asking`);
}

class Setter {
  readonly notOffered: string[] = [];
  readonly #agent: AgentProcess;
  readonly #sessionId: string;
  readonly #timeoutMs: number;
  #offer: SessionOffer;

  constructor(agent: AgentProcess, sessionId: string, offer: SessionOffer, timeoutMs: number) {
    this.#agent = agent;
    this.#sessionId = sessionId;
    this.#offer = offer;
    this.#timeoutMs = timeoutMs;
  }

  /** Sets the first offered value and answers the value that the option has then. `label`: report it when not offered. */
  async option(
    matches: (option: OfferedOption) => boolean,
    values: readonly string[],
    label?: string,
  ): Promise<string | undefined> {
    const option = this.#offer.options.find(matches);
    const value = values.find((candidate) => option?.values.includes(candidate));
    if (option === undefined || value === undefined) {
      if (label !== undefined) this.notOffered.push(label);
      return option?.current;
    }
    if (option.current === value) return value;
    const params = { sessionId: this.#sessionId, configId: option.id, value };
    const answer = await this.#try('session/set_config_option', params, `${option.id} ${value}`);
    if (answer === undefined) return option.current;
    const fresh = readOffer(answer).options;
    if (fresh.length > 0) this.#offer = { ...this.#offer, options: fresh };
    return this.#offer.options.find((known) => known.id === option.id)?.current;
  }

  async mode(values: readonly string[]): Promise<string | undefined> {
    const { modes, currentMode } = this.#offer;
    if (values.length === 0) return currentMode;
    const value = values.find((candidate) => modes.includes(candidate));
    if (value === undefined) {
      const isMode = (option: OfferedOption) => option.category === 'mode' || option.id === 'mode';
      return (await this.option(isMode, values, `mode ${values.join(' or ')}`)) ?? currentMode;
    }
    if (value === currentMode) return value;
    const answer = await this.#try('session/set_mode', { sessionId: this.#sessionId, modeId: value }, `mode ${value}`);
    return answer === undefined ? currentMode : value;
  }

  /** A refusal is noted and not fatal; a worker that is gone, or does not answer, is. */
  async #try(method: string, params: unknown, label: string): Promise<unknown> {
    try {
      return (await this.#agent.request(method, params, this.#timeoutMs)) ?? {};
    } catch (error) {
      if (!(error instanceof AgentFailure) || error.kind !== 'error') throw error;
      this.notOffered.push(`${label} (${error.message})`);
      return undefined;
    }
  }
}
