import { RemitError } from '../base/index.ts';
import type { WorkerProgram } from '../task/index.ts';
import type { Configuration } from './configuration.ts';

/** The named worker, or the default one, with what the operator lets through to it. */
export function resolveWorkerProgram(
  configuration: Configuration,
  environment: Readonly<Record<string, string | undefined>>,
  name: string | undefined,
): WorkerProgram {
  const selection = configuration.selectWorker(name);
  if (selection.kind === 'none') throw new RemitError(`${selection.family}_unavailable`, selection.reason);
  const { env, writable, command, adapter, model, environment: settings } = selection.worker;
  const passed = env.flatMap((variable) => {
    const value = environment[variable];
    return value === undefined ? [] : [[variable, value] as const];
  });
  const told = { ...Object.fromEntries(passed), ...settings };
  return { name: selection.worker.name, adapter, command, model, writable, environment: told };
}
