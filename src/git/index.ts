/**
 * The one door to Git: each verb a function on a real repository, outcomes as data. Promises: nothing that a repository or
 * its configuration names is ever run (hooks, monitors, filters, text conversions, drivers, credential helpers, pagers,
 * aliases); the caller's checkout, index, HEAD, configuration and refs never change, except for the task's own branch and
 * worktree registration; a worker's files are looked at only through an index and a Git directory that the host alone
 * writes; new objects stay in the host's store until they are published. Refuses: partial clones, Git before 2.39, paths under
 * a filter, anything that would fetch, push, merge or follow a link out of a worktree; a `.git`
 * that names a repository which does not point back, and a Git directory with pipes, devices or links where Git reads or writes.
 */
export { type CommitOptions, commitTree } from './commit-tree.ts';
export { createWorktree, type WorktreeCreation, type WorktreeOptions } from './create-worktree.ts';
export { type DiffOptions, diffPatch, diffTree, type FileDiff, type Patch, type TreeDiff } from './diff-tree.ts';
export { type Discovery, discoverRepository } from './discover-repository.ts';
export { type FilteredPath, listFilteredPaths } from './filtered-paths.ts';
export { isAncestor } from './is-ancestor.ts';
export type { TreeChange } from './list-tree-changes.ts';
export { type BranchMove, type BranchMoveResult, moveBranch } from './move-branch.ts';
export { type Git, type OpenGitOptions, openGit } from './open-git.ts';
export { openWorkspace, type WorkspaceOptions } from './open-workspace.ts';
export { publishObjects } from './publish-objects.ts';
export { type Identity, readIdentity } from './read-identity.ts';
export { readContents, readTreeFiles, type TreeFile } from './read-objects.ts';
export { compareRefs, type RefDifference, type RefSnapshot, snapshotRefs } from './ref-snapshot.ts';
export { removeEntry } from './remove-directory.ts';
export { type RemovalResult, removeWorktree, type WorktreeRemoval } from './remove-worktree.ts';
export type { Repository } from './repository.ts';
export { type RepositoryFacts, readFacts } from './repository-facts.ts';
export { readRef, resolveCommit } from './resolve-commit.ts';
export { GitFailure } from './run-git.ts';
export { type ScanOptions, scanWorkspace, type WorkChange, type WorkEntry } from './scan-workspace.ts';
export { settleWorkspace } from './settle-index.ts';
export { readSourceState, type SourceState } from './source-state.ts';
export type { Refusal, RefusalReason } from './staging.ts';
export { alteredFiles, openTestbed, restoreFiles, setTestbed, type Testbed, testbedMark } from './testbed.ts';
export { wantsSignature } from './wants-signature.ts';
export type { Workspace } from './workspace.ts';
export { type TakenChange, type WriteTreeOptions, type WrittenTree, writeTree } from './write-tree.ts';
