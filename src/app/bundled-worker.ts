import { describeSettings, type ModelsReport, readWorkerSettings } from '../agent/index.ts';
import { type ConfigurationSources, loadConfiguration } from './configuration.ts';

/** What is configured for the bundled worker, from the settings file and the environment alike; never a key. */
export type BundledWorker =
  | { readonly kind: 'configured'; readonly name: string; readonly report: ModelsReport }
  | { readonly kind: 'none'; readonly reason: string };

/** `name`: of a worker with the adapter builtin; without one the default worker, if it is such a one, else the one named builtin. */
export function describeBundledWorker(sources: ConfigurationSources, name?: string): BundledWorker {
  const configuration = loadConfiguration(sources);
  const preferred = configuration.selectWorker(name);
  const isBundled = preferred.kind === 'worker' && preferred.worker.adapter === 'builtin';
  const selection = name !== undefined || isBundled ? preferred : configuration.selectWorker('builtin');
  if (selection.kind === 'none') return { kind: 'none', reason: selection.reason };
  const { worker } = selection;
  if (worker.adapter !== 'builtin')
    return { kind: 'none', reason: `The worker ${worker.name} is not the bundled one.` };
  const reading = readWorkerSettings(worker.environment ?? {});
  if (reading.kind !== 'configured') return { kind: 'none', reason: reading.problem };
  return { kind: 'configured', name: worker.name, report: describeSettings(reading.settings) };
}
