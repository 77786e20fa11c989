import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type RunningProcess, startProcess } from '../process/index.ts';
import type { Git } from './open-git.ts';
import { commonPlace } from './repository.ts';
import { GitFailure, type GitPlace, gitArgv, gitEnvironment, runGit } from './run-git.ts';
import { objectPlace, type Workspace } from './workspace.ts';

const GRACE_MS = 2_000;
const DEADLINE_MS = 600_000;

/**
 * Brings what a commit has beyond the base into the user's repository, as one pack that Git writes and syncs to disk, and
 * proves that everything the commit reaches is there. No ref moves. May be repeated.
 */
export async function publishObjects(git: Git, workspace: Workspace, commit: string): Promise<void> {
  const from = objectPlace(workspace);
  const to = commonPlace(workspace.repository);
  const packing = ['pack-objects', '--revs', '--stdout', '--quiet', '--threads=1', '--no-reuse-delta'];
  await pipe(
    start(git, from, packing),
    start(git, to, ['index-pack', '--stdin']),
    packing,
    `${commit}\n^${workspace.base}\n`,
  );
  await runGit(git, to, { args: ['rev-list', '--objects', '--quiet', commit, `^${workspace.base}`] });
}

function start(git: Git, place: GitPlace, args: readonly string[]): RunningProcess {
  return startProcess({ argv: gitArgv(git, args), cwd: place.cwd, env: gitEnvironment(git, place) });
}

async function pipe(
  source: RunningProcess,
  sink: RunningProcess,
  sourceArgs: readonly string[],
  input: string,
): Promise<void> {
  const timer = setTimeout(() => void Promise.all([source.stop(GRACE_MS), sink.stop(GRACE_MS)]), DEADLINE_MS);
  try {
    source.stdin.on('error', () => {});
    source.stdin.end(input);
    sink.stdout.resume();
    const errors = Promise.all([text(source.stderr), text(sink.stderr)]);
    // When one end breaks, the exit codes say which and why.
    await pipeline(source.stdout, sink.stdin).catch(() => {});
    const [sourceOutcome, sinkOutcome] = await Promise.all([source.exited, sink.exited]);
    const [sourceErrors, sinkErrors] = await errors;
    if (sourceOutcome.kind !== 'exited' || sourceOutcome.exitCode !== 0)
      throw new GitFailure(sourceArgs, sourceOutcome, sourceErrors);
    if (sinkOutcome.kind !== 'exited' || sinkOutcome.exitCode !== 0)
      throw new GitFailure(['index-pack'], sinkOutcome, sinkErrors);
  } finally {
    clearTimeout(timer);
  }
}
