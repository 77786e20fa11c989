import type { LogLevel } from '../base/index.ts';
import { RemitError, visibleLine } from '../base/index.ts';
import { type ConfigurationFile, readConfigurationFile } from './configuration-file.ts';
import { SettingTextError } from './setting-text.ts';
import {
  type ResolvedSettings,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingSource,
  type SettingValues,
} from './settings.ts';
import { defaultStateDirectory } from './state-directory.ts';
import type { ConfiguredWorker } from './worker-configuration.ts';
import { selectWorker, type WorkerSelection } from './worker-selection.ts';

export type { WorkerConfiguration, WorkerSelection } from './worker-selection.ts';

/** What a flag brought: text, several texts for a repeatable one, or a boolean for one without a value. */
export type FlagValue = string | boolean | readonly string[] | undefined;

/** By the name of the setting, not of the flag. */
export type SettingFlags = Readonly<Partial<Record<SettingName, FlagValue>>>;

export interface ConfigurationSources {
  readonly flags: SettingFlags;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
}

/** Everything that an operator decides, validated. Paths are absolute and normalised. */
export interface Configuration {
  readonly stateDirectory: string;
  /** Where the settings file is, or would be. */
  readonly file: string;
  readonly reasoningEffort: SettingValues['reasoningEffort'];
  /** The operator's switch; a client's sandbox can forbid the network too. */
  readonly network: boolean;
  readonly environmentAllowlist: readonly string[];
  readonly secretScannerArgv: readonly string[] | undefined;
  readonly allowUnsandboxed: boolean;
  readonly waitSecondsWithProgress: number;
  readonly waitSecondsWithoutProgress: number;
  readonly maxWorkers: number;
  readonly roots: readonly string[];
  readonly logLevel: LogLevel;
  /** Sentences for the log: what was given and has no effect, what is dangerous. */
  readonly warnings: readonly string[];
  /** Names that `selectWorker` knows from the settings file. */
  readonly workerNames: readonly string[];
  /** The named worker, or the default one; its program is looked up when this is called. */
  selectWorker(name?: string): WorkerSelection;
}

/**
 * Joins flags, variables, the older bridge's variables, the settings file and defaults, in this order for each setting.
 * An empty variable counts as not set. Throws `invalid_request` that names the flag, variable or key at fault.
 */
export function loadConfiguration(sources: ConfigurationSources): Configuration {
  const { environment, homeDirectory } = sources;
  const file = readConfigurationFile(environment, homeDirectory);
  const resolved = resolveSettings(sources, file);
  const { values } = resolved;
  return {
    stateDirectory: values.stateDir ?? defaultStateDirectory(environment, homeDirectory),
    file: file.path,
    reasoningEffort: values.reasoningEffort,
    network: values.network,
    environmentAllowlist: values.environmentAllowlist,
    secretScannerArgv: values.secretScannerArgv,
    allowUnsandboxed: values.allowUnsandboxed,
    waitSecondsWithProgress: values.waitSecondsWithProgress,
    waitSecondsWithoutProgress: values.waitSecondsWithoutProgress,
    maxWorkers: values.maxWorkers,
    roots: values.roots,
    logLevel: values.logLevel,
    warnings: warningsOf(resolved, environment, file),
    workerNames: Object.keys(values.workers),
    selectWorker: (name) =>
      selectWorker({ resolved, file: file.path, searchPath: environment['PATH'] ?? '', environment }, name),
  };
}

function resolveSettings(sources: ConfigurationSources, file: ConfigurationFile): ResolvedSettings {
  const resolved = SETTING_NAMES.map((name) => [name, resolveSetting(name, sources, file)] as const);
  return {
    values: Object.fromEntries(resolved.map(([name, { value }]) => [name, value])) as SettingValues,
    sources: Object.fromEntries(resolved.map(([name, { source }]) => [name, source])) as ResolvedSettings['sources'],
  };
}

function resolveSetting(
  name: SettingName,
  { flags, environment }: ConfigurationSources,
  file: ConfigurationFile,
): { value: unknown; source: SettingSource } {
  const setting: Setting = SETTINGS[name];
  const { variable, older, fromText } = setting;
  const flag = flags[name];
  if (flag !== undefined) return { value: fromFlag(name, setting, flag), source: 'flag' };
  const text = variable && environment[variable];
  if (variable && fromText && text)
    return { value: valid(variable, setting, () => fromText(text)), source: 'variable' };
  const olderText = older && environment[older.variable];
  if (older && olderText) {
    return { value: valid(older.variable, setting, () => older.fromText(olderText)), source: 'older' };
  }
  if (Object.hasOwn(file.values, name)) {
    // The file was validated as a whole; this fills defaults in and normalises.
    return { value: setting.schema.parse(file.values[name]), source: 'file' };
  }
  return { value: setting.schema.parse(undefined), source: 'default' };
}

function fromFlag(name: SettingName, setting: Setting, flag: Exclude<FlagValue, undefined>): unknown {
  const { flag: label = name, fromText } = setting;
  return valid(label, setting, () => (typeof flag === 'string' && fromText ? fromText(flag) : flag));
}

function valid(label: string, setting: Setting, read: () => unknown): unknown {
  try {
    const parsed = setting.schema.safeParse(read());
    if (parsed.success) return parsed.data;
    throw new SettingTextError(parsed.error.issues.map((issue) => issue.message).join('; '));
  } catch (error) {
    if (!(error instanceof SettingTextError)) throw error;
    throw new RemitError('invalid_request', `Setting ${visibleLine(label)}: ${error.message}.`, { cause: error });
  }
}

function warningsOf(
  { values }: ResolvedSettings,
  environment: ConfigurationSources['environment'],
  file: ConfigurationFile,
): string[] {
  const warnings: string[] = [];
  if (values.runGitHooks) {
    warnings.push(
      'The setting runGitHooks (CODEX_REASONIX_RUN_GIT_HOOKS) is not honoured: hooks of a repository never run.',
    );
  }
  if (values.allowUnsandboxed) {
    warnings.push(
      'allowUnsandboxed is on: where no sandbox can start, workers and verification run with all of your rights.',
    );
  }
  for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME']) {
    const value = environment[name];
    if (value && !value.startsWith('/')) warnings.push(`${name} is not an absolute path and was ignored.`);
  }
  for (const [name, worker] of Object.entries(values.workers)) {
    if (worker.writable.length > 0) {
      warnings.push(`Worker ${name} may write outside its contract: ${worker.writable.map(visibleLine).join(', ')}.`);
    }
  }
  if (file.isReadByOthers && Object.values(values.workers).some(holdsKey))
    warnings.push(`Other users can read the key in ${visibleLine(file.path)}: run \`chmod 600\` on it.`);
  const keys = values.environmentAllowlist.filter((name) => /^REMIT_.*API_KEY$/.test(name));
  if (keys.length > 0) warnings.push(`environmentAllowlist hands ${keys.join(', ')} to commands and to every worker.`);
  return warnings;
}

function holdsKey(worker: ConfiguredWorker): boolean {
  return worker.adapter === 'builtin' && (worker.apiKey !== undefined || worker.reviewer?.apiKey !== undefined);
}
