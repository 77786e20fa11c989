import { visibleLine } from '../base/index.ts';
import { compileScope, parseStoredContract, type Scope } from '../contract/index.ts';
import { type Git, type Repository, type RepositoryFacts, readSourceState, type SourceState } from '../git/index.ts';
import type { SourceCollision, TaskRecord } from './record.ts';
import { taskRepository } from './task-repository.ts';
import type { TaskTools } from './tools.ts';

/** Listed paths are bounded: a collision names what overlaps, it is no inventory. */
const MAX_LISTED = 256;

/** What became of the caller's checkout since the base, where a task may care. */
export interface SourceLook {
  readonly collision: SourceCollision | undefined;
  /** For the reviewer, when the checkout is at another commit than the base. */
  readonly movement: string | undefined;
}

/** Whether the source of an existing task collides with it, at one of its checkpoints. */
export async function findTaskCollision(
  record: TaskRecord,
  tools: Pick<TaskTools, 'git' | 'journal'>,
  checkpoint: string,
): Promise<SourceCollision | undefined> {
  return (await lookAtTaskSource(record, tools, checkpoint)).collision;
}

/** The same, with where the source is now. */
export function lookAtTaskSource(
  record: TaskRecord,
  tools: Pick<TaskTools, 'git' | 'journal'>,
  checkpoint: string,
): Promise<SourceLook> {
  return lookAtSource(tools.git, taskRepository(record), {
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
export async function lookAtSource(
  git: Git,
  repository: Repository,
  facts: { base: string; scope: Scope; checkpoint: string; now: string; settings?: RepositoryFacts['configuration'] },
): Promise<SourceLook> {
  const source = await readSourceState(git, repository, facts.base, facts.settings);
  const inScope = (path: string) => facts.scope.classify(path).kind === 'in_scope';
  const dirty = source.dirtyPaths.filter(inScope);
  const committed = source.committedPaths.filter(inScope);
  if (dirty.length === 0 && committed.length === 0 && !source.unavailable) {
    return { collision: undefined, movement: describeMovement(source, facts.base) };
  }
  const collision = {
    checkpoint: facts.checkpoint,
    baseCommit: facts.base,
    ...(source.head && { sourceHead: source.head }),
    dirtyPaths: shown(dirty),
    committedPaths: shown(committed),
    overlappingPaths: shown([...new Set([...dirty, ...committed])]),
    unavailable: source.unavailable,
    detectedAt: facts.now,
  };
  return { collision, movement: undefined };
}

function describeMovement({ head, commitsSinceBase }: SourceState, base: string): string | undefined {
  if (head === base) return undefined;
  return (
    `The source checkout is at ${head.slice(0, 12)}, with ${commitsSinceBase} commit(s) that the base ${base.slice(0, 12)} ` +
    'does not have; none touches the write scope, and the commit keeps the base as its parent.'
  );
}

function shown(paths: readonly string[]): string[] {
  return paths.slice(0, MAX_LISTED).map(visibleLine);
}
