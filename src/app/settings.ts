import { z } from 'zod';
import { LOG_LEVELS } from '../base/index.ts';
import { EFFORTS } from '../worker/index.ts';
import { absolutePath, variableName } from './setting-shapes.ts';
import {
  asBoolean,
  asCommaList,
  asInteger,
  asJson,
  asOlderEffort,
  asOlderNetwork,
  asPathList,
  asText,
  type FromText,
} from './setting-text.ts';
import { workersSchema } from './worker-configuration.ts';

/** One setting: every way to give it, strongest first, and what it means. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** The value's shape, also in the settings file, with its description. */
  readonly schema: Schema;
  readonly flag?: string;
  /** Remit's own variable. */
  readonly variable?: string;
  readonly fromText?: FromText;
  /** The older bridge's variable, honoured so that its clients need no change. */
  readonly older?: { readonly variable: string; readonly fromText: FromText };
  /** Given by a variable only: the settings file says the same in `workers`. */
  readonly variablesOnly?: true;
  /** What holds when nothing is given, in words; the value itself stands in the schema or is worked out. */
  readonly fallback: string;
}

const setting = <Schema extends z.ZodType>(entry: Setting<Schema>): Setting<Schema> => entry;

/** The one table of settings. Order of precedence: flag, variable, older variable, file, default. */
export const SETTINGS = {
  stateDir: setting({
    schema: absolutePath.optional().describe('Absolute directory for tasks, worktrees and logs; private to its user.'),
    flag: '--state-dir',
    variable: 'REMIT_STATE_DIR',
    fromText: asText,
    older: { variable: 'CODEX_REASONIX_STATE_DIR', fromText: asText },
    fallback: '$XDG_STATE_HOME/remit, else ~/.local/state/remit; macOS: ~/Library/Application Support/remit',
  }),
  worker: setting({
    schema: z.string().min(1).max(64).optional().describe('Name of the default worker.'),
    flag: '--worker',
    variable: 'REMIT_WORKER',
    fromText: asText,
    fallback: 'the only one in workers, else REASONIX_BIN, else reasonix on PATH',
  }),
  workers: setting({
    schema: workersSchema.default({}).describe('Workers by name, beside reasonix on PATH, which needs no entry.'),
    fallback: 'none',
  }),
  model: setting({
    schema: z.string().min(1).max(200).optional().describe('Model to choose where the worker offers a choice.'),
    flag: '--model',
    variable: 'REMIT_MODEL',
    fromText: asText,
    fallback: "the worker's own",
  }),
  reasonixProgram: setting({
    schema: z.string().min(1).max(4_096).optional().describe('The program of the worker named reasonix.'),
    older: { variable: 'REASONIX_BIN', fromText: asText },
    variablesOnly: true,
    fallback: 'reasonix on PATH',
  }),
  reasonixModel: setting({
    schema: z.string().min(1).max(200).optional().describe('The model of workers of the Reasonix family.'),
    older: { variable: 'CODEX_REASONIX_MODEL', fromText: asText },
    variablesOnly: true,
    fallback: "the worker's own",
  }),
  reasoningEffort: setting({
    schema: z.enum(EFFORTS).default('medium').describe('Reasoning effort of a task that asks for none.'),
    flag: '--effort',
    variable: 'REMIT_EFFORT',
    fromText: asText,
    older: { variable: 'CODEX_REASONIX_EFFORT', fromText: asOlderEffort },
    fallback: 'medium',
  }),
  network: setting({
    schema: z
      .boolean()
      .default(true)
      .describe("Whether a worker may reach its model's endpoint. Verification never has a network."),
    flag: '--network',
    variable: 'REMIT_NETWORK',
    fromText: asBoolean,
    older: { variable: 'CODEX_REASONIX_NETWORK', fromText: asOlderNetwork },
    fallback: 'true',
  }),
  environmentAllowlist: setting({
    schema: z
      .array(variableName)
      .max(200)
      .default([])
      .describe('Names of further variables of the host that verification and workers may see.'),
    variable: 'REMIT_ENVIRONMENT_ALLOWLIST',
    fromText: asCommaList,
    older: { variable: 'CODEX_REASONIX_ENV_ALLOWLIST', fromText: asCommaList },
    fallback: 'none',
  }),
  secretScannerArgv: setting({
    schema: z
      .array(z.string().min(1).max(4_096))
      .min(1)
      .max(100)
      .optional()
      .describe('Program and arguments of one more secret scanner; runs in the sandbox. As a variable: a JSON array.'),
    variable: 'REMIT_SECRET_SCANNER_ARGV',
    fromText: asJson,
    older: { variable: 'CODEX_REASONIX_SECRET_SCANNER_ARGV', fromText: asJson },
    fallback: 'none',
  }),
  runGitHooks: setting({
    schema: z
      .boolean()
      .default(false)
      .describe('Not honoured: hooks of a repository never run. Kept so that an older configuration still loads.'),
    older: { variable: 'CODEX_REASONIX_RUN_GIT_HOOKS', fromText: asBoolean },
    fallback: 'false',
  }),
  allowUnsandboxed: setting({
    schema: z
      .boolean()
      .default(false)
      .describe('Run workers and verification without a sandbox where none can start. Dangerous; said in every log.'),
    flag: '--allow-unsandboxed',
    variable: 'REMIT_ALLOW_UNSANDBOXED',
    fromText: asBoolean,
    older: { variable: 'CODEX_REASONIX_ALLOW_UNSANDBOXED', fromText: asBoolean },
    fallback: 'false',
  }),
  waitSecondsWithProgress: setting({
    schema: waitSeconds(280, 'How long a call is held when its client follows progress, in seconds.'),
    variable: 'REMIT_WAIT_SECONDS_WITH_PROGRESS',
    fromText: asInteger,
    fallback: '280',
  }),
  waitSecondsWithoutProgress: setting({
    schema: waitSeconds(50, 'The same for a client that asks for no progress: many give up after 60 seconds.'),
    variable: 'REMIT_WAIT_SECONDS_WITHOUT_PROGRESS',
    fromText: asInteger,
    fallback: '50',
  }),
  maxWorkers: setting({
    schema: z.int().min(1).max(64).default(4).describe('Workers that one Remit process runs at once; others wait.'),
    flag: '--max-workers',
    variable: 'REMIT_MAX_WORKERS',
    fromText: asInteger,
    fallback: '4',
  }),
  roots: setting({
    schema: z
      .array(absolutePath)
      .max(100)
      .default([])
      .describe(
        'Absolute directories whose repositories may be worked on where the client states none. As a variable: separated by colons.',
      ),
    flag: '--root',
    variable: 'REMIT_ROOTS',
    fromText: asPathList,
    fallback: 'none',
  }),
  logLevel: setting({
    schema: z.enum(LOG_LEVELS).default('info').describe('Least level that is written to the log.'),
    flag: '--log-level',
    variable: 'REMIT_LOG_LEVEL',
    fromText: asText,
    fallback: 'info',
  }),
} as const;

function waitSeconds(value: number, description: string) {
  return z.int().min(1).max(14_400).default(value).describe(description);
}

export type SettingName = keyof typeof SETTINGS;

/** Every setting with its value, defaults filled in. */
export type SettingValues = { [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** Where a setting's value came from. */
export type SettingSource = 'flag' | 'variable' | 'older' | 'file' | 'default';

export interface ResolvedSettings {
  readonly values: SettingValues;
  readonly sources: Readonly<Record<SettingName, SettingSource>>;
}

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

const isFileSetting = (name: SettingName): boolean => !('variablesOnly' in SETTINGS[name]);

/** The settings file: every key optional, none unknown. */
export const settingsFileSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors; ignored.'),
  ...Object.fromEntries(SETTING_NAMES.filter(isFileSetting).map((name) => [name, SETTINGS[name].schema])),
});
