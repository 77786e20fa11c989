import { scopesOverlap, type TaskContractV1 } from '../contract/index.ts';

/** An ignored folder is looked into only where the scope reaches: elsewhere it may hold a million installed files. */
export function reachedBy(contract: TaskContractV1): (directory: string) => boolean {
  return (directory) =>
    scopesOverlap(contract, { write_scope: [`${directory}/**`], forbidden_scope: [] }) !== undefined;
}
