import { existsSync } from 'node:fs';
import { openStore } from '../../store/index.ts';
import { type ConfigurationSources, loadConfiguration } from '../configuration.ts';

/** A task by its name, with where it stands. */
export interface NamedTask {
  readonly taskId: string;
  readonly state: string;
}

/** Every task of the state directory, the newest first: reads the store and nothing else, for a shell that completes a word. */
export function readTaskIds(sources: ConfigurationSources): NamedTask[] {
  const { stateDirectory } = loadConfiguration(sources);
  if (!existsSync(stateDirectory)) return [];
  const store = openStore(stateDirectory);
  try {
    return store
      .listTasks()
      .map(({ taskId, state }) => ({ taskId, state }))
      .reverse();
  } finally {
    store.close();
  }
}
