/**
 * From a worktree to a commit: the candidate tree, the host's testbed, verification, the approval bound to one tree, and
 * the one commit. Promises: what was reviewed is what was verified is what is committed; nothing of the worktree but what
 * is in scope is ever taken; a cut-off commit is decided by the ref. Refuses: stale approvals, credentials, links out of
 * the tree, verification without a sandbox.
 */
export { type ApprovalRequest, requiredReviewCriteria } from './approval.ts';
export { Finalizer } from './finalize.ts';
export { acceptanceRows, readChecks, readEvidence } from './proof.ts';
export { refuseSecrets } from './secret-texts.ts';
export { takeSnapshot } from './snapshot.ts';
export { Testbeds } from './testbeds.ts';
