import { visibleLine } from '../base/index.ts';
import { compileScope, parseStoredContract, type Scope } from '../contract/index.ts';
import { type Git, type Repository, readSourceState } from '../git/index.ts';
import type { SourceCollision, TaskRecord } from './record.ts';
import { taskRepository } from './task-repository.ts';
import type { TaskTools } from './tools.ts';

/** Listed paths are bounded: a collision names what overlaps, it is no inventory. */
const MAX_LISTED = 256;

/** The same for a task that exists, at one of its checkpoints. */
export function findTaskCollision(
  record: TaskRecord,
  tools: Pick<TaskTools, 'git' | 'journal'>,
  checkpoint: string,
): Promise<SourceCollision | undefined> {
  return findSourceCollision(tools.git, taskRepository(record), {
    base: record.base_commit,
    scope: compileScope(parseStoredContract(record.contract)),
    checkpoint,
    now: tools.journal.now(),
  });
}

/**
 * Looks whether the caller's checkout changed, or has commits since the base, where the scope lies. Only an overlap
 * counts; unrelated dirt never stops a task.
 */
export async function findSourceCollision(
  git: Git,
  repository: Repository,
  facts: { base: string; scope: Scope; checkpoint: string; now: string },
): Promise<SourceCollision | undefined> {
  const source = await readSourceState(git, repository, facts.base);
  const inScope = (path: string) => facts.scope.classify(path).kind === 'in_scope';
  const dirty = source.dirtyPaths.filter(inScope);
  const committed = source.committedPaths.filter(inScope);
  if (dirty.length === 0 && committed.length === 0 && !source.unavailable) return undefined;
  return {
    checkpoint: facts.checkpoint,
    baseCommit: facts.base,
    ...(source.head && { sourceHead: source.head }),
    dirtyPaths: shown(dirty),
    committedPaths: shown(committed),
    overlappingPaths: shown([...new Set([...dirty, ...committed])]),
    unavailable: source.unavailable,
    detectedAt: facts.now,
  };
}

function shown(paths: readonly string[]): string[] {
  return paths.slice(0, MAX_LISTED).map(visibleLine);
}
