/** What the scripted agent advertises, in the shape of a plain ACP agent or of a Reasonix (seen in versions 1.19 and 1.38). */
import type { AgentScript } from './script.ts';

type Json = Record<string, unknown>;

export interface Advertised {
  readonly initialize: Json;
  readonly session: Json;
  choose(optionId: string, value: string): void;
  chooseMode(modeId: string): void;
  /** The present value of an option, or `mode`. */
  current(id: string): string | undefined;
}

const EFFORT = ['auto', 'low', 'medium', 'high', 'max'];

const OPTIONS: Record<NonNullable<AgentScript['shape']>, Record<string, string[]>> = {
  plain: {},
  'reasonix-1.19': { work_mode: ['balanced', 'economy', 'delivery'], effort: EFFORT, tool_approval: ['auto', 'ask'] },
  'reasonix-1.38': { effort: EFFORT, tool_approval: ['workspace-write', 'read-only', 'danger-full-access'] },
};

export function advertised(script: AgentScript): Advertised {
  const shape = script.shape ?? 'plain';
  const isReasonix = shape !== 'plain';
  const values = script.options ?? OPTIONS[shape];
  const modeIds = script.modes ?? (isReasonix ? ['normal', 'plan', 'goal'] : []);
  const modes = { currentModeId: modeIds[0], availableModes: modeIds.map((id) => ({ id, name: id })) };
  const configOptions = Object.entries(values).map(([id, offered]) => option(id, offered));
  return {
    initialize: {
      protocolVersion: script.protocolVersion ?? 1,
      agentInfo: { name: script.name ?? (isReasonix ? 'reasonix' : 'scripted'), version: shapeVersion(shape) },
      agentCapabilities: capabilities(script, isReasonix),
      ...(script.authMethods && { authMethods: script.authMethods }),
    },
    session: { ...(modeIds.length > 0 && { modes }), ...(configOptions.length > 0 && { configOptions }) },
    choose(optionId, value) {
      const known = configOptions.find((candidate) => candidate.id === optionId);
      if (known) known.currentValue = value;
    },
    chooseMode(modeId) {
      modes.currentModeId = modeId;
    },
    current: (id) =>
      id === 'mode' ? modes.currentModeId : configOptions.find((known) => known.id === id)?.currentValue,
  };
}

function shapeVersion(shape: string): string {
  return shape === 'plain' ? '1.0.0' : `v${shape.slice('reasonix-'.length)}.0`;
}

function option(id: string, offered: string[]) {
  const category = id === 'effort' ? 'thought_level' : id;
  const options = offered.map((value) => ({ value, name: value }));
  return { id, name: id, category, type: 'select', currentValue: offered[0], options };
}

function capabilities(script: AgentScript, isReasonix: boolean): Json {
  const way = script.resume ?? (isReasonix ? 'both' : 'none');
  return {
    loadSession: way === 'load' || way === 'both',
    sessionCapabilities: {
      close: {},
      ...(way !== 'none' && { list: {} }),
      ...((way === 'resume' || way === 'both') && { resume: {} }),
    },
    ...(isReasonix && {
      _meta: {
        '_reasonix.io/session/status': { schemaVersion: 1 },
        '_reasonix.io/session/status_update': { schemaVersion: 1 },
        'reasonix.io': { sessionSteer: { method: '_reasonix.io/session/steer' } },
      },
    }),
  };
}

export interface StatusFacts {
  sessionId: string;
  worktree: string;
  state: string;
  phase: string;
  readiness: Json;
  usage: { promptTokens: number; completionTokens: number; cacheHitTokens: number };
}

/** The status of a Reasonix, with members that a client does not know (as every version has). */
export function reasonixStatus(shape: Advertised, facts: StatusFacts): Json {
  const { promptTokens, completionTokens, cacheHitTokens } = facts.usage;
  const usage = {
    totalTokens: promptTokens + completionTokens,
    promptTokens,
    completionTokens,
    reasoningTokens: 0,
    cacheHitTokens,
    cacheMissTokens: promptTokens - cacheHitTokens,
    cacheHitRatio: promptTokens === 0 ? null : cacheHitTokens / promptTokens,
    estimatedCost: null,
    currency: null,
    usageSource: 'executor',
    costQuote: { original: { amount: '0', currency: '' } },
  };
  return {
    schemaVersion: 1,
    sequence: 1,
    sessionId: facts.sessionId,
    state: facts.state,
    model: 'scripted/model',
    effort: shape.current('effort') ?? 'auto',
    mode: shape.current('mode'),
    workMode: shape.current('work_mode') ?? 'standard',
    goal: { status: 'none' },
    phase: facts.phase,
    turnOutcome: { kind: facts.phase === 'completed' ? 'completed' : 'none' },
    finalReadiness: facts.readiness,
    sandbox: { mode: 'enforce', workspaceRoot: facts.worktree, writeRoots: [facts.worktree] },
    usage: { turn: usage, cumulative: usage },
  };
}
