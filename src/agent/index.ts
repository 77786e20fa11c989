/**
 * The bundled worker: a coding agent that speaks ACP, in a process and a bundle of its own. What other rooms need of it is what
 * it is made of and how it is started.
 * Promises: a tool's contract has one source; nothing runs on arguments that its schema does not take; no link leads out of the
 * repository; a file is replaced whole, with its line breaks, byte order mark and mode, and never when it changed since it was
 * read; changed work does not end as done before its review was accepted; no call is run twice, whatever cut the first off.
 * Refuses: shell text, text that is no UTF-8, commands without a process namespace of their own, keys in any output.
 */
export { describeSettings, type ModelsReport, modelsReportSchema } from './models/describe-settings.ts';
export { providerNames } from './models/providers.ts';
export {
  type Environment,
  priceSchema,
  readWorkerSettings,
  type SettingsReading,
  splitModel,
  usualKeyOf,
  type WorkerSettings,
} from './models/settings.ts';
export { fileHelperPath, workerProgramPath } from './programs.ts';
export type { ToolContract } from './tools/define-tool.ts';
export { toolContracts } from './tools/registry.ts';
