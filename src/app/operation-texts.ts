/**
 * What a model reads about the tools. Each description says what the tool is for beside its siblings, when to use it and
 * when not, what it does beyond its annotations, and what comes back. Clients cut at 4,096 characters, some far earlier.
 */

/** The essentials stand in the first 512 characters: Codex reads no further when it lists servers. */
export const INSTRUCTIONS = `Remit lets you hand one well-specified coding task to a worker under a contract and approve the result. 1. reasonix_delegate with a full contract; the worker edits in its own Git worktree, your checkout is never changed. 2. At review_required read the diff yourself (reasonix_inspect for what was cut). 3. Approve with reasonix_control finalize, echoing review_revision and review_tree_hash; the host verifies and makes one commit on branch remit/<task_id>. Never trust the worker's summary.

Repair with reasonix_control steer (at most two rounds). waiting_permission or waiting_input: answer with respond. paused: read the reason, then delegate again with the same contract and the pause fields to resume. timed_out is not a failure: the worker goes on; wait with reasonix_inspect wait_ms. Each error has a code, a message and next_action: follow them rather than retrying unchanged. Nothing is pushed or merged: tell the user the branch, the commit and integration_command.`;

export const DELEGATE_TEXT = `Hand one coding task to an isolated worker under an immutable contract, or attach again to a task by its id.

Use it when you can say exactly what to change, which paths may be written, and how to prove it. Do not use it for questions, for edits that are quicker by hand, to change a contract (choose a new task_id), or to look at a task (reasonix_inspect).

Creates branch remit/<task_id> and a worktree of its own from base_ref, starts the worker in a sandbox that can write that worktree (and folders that the operator added; taken is only what lies in write_scope), and holds the call until the task is at review_required, asks something, pauses, ends, or the wait is over (timed_out: the worker goes on). Your checkout, index and other branches are never changed; nothing is committed before reasonix_control finalize.

Calling it again with the same task_id and the same full contract attaches and waits; a different contract or explicit setting is task_conflict. A paused task resumes only with pause_revision and pause_reason_hash from its last view. Tasks of disjoint scopes may run side by side; overlapping scopes are lease_conflict.

Minimal contract: {"schema_version":1,"objective":"…","user_outcome":"…","write_scope":["src/**"],"acceptance_criteria":[{"id":"C1","requirement":"…","evidence":"automated"}],"verification":[{"id":"V1","argv":["npm","test"],"proves":["C1"]}]}. A wrong contract is refused with all its problems at once.

Returns the task's view; at review_required also diff, risks, review_revision, review_tree_hash and the criteria that you must approve.`;

export const CONTROL_TEXT = `Act on a task that reasonix_delegate created: steer, respond, finalize, cancel or close. To only read, use reasonix_inspect; to resume a paused task, use reasonix_delegate.

steer {message}: guides the worker while it runs; at review_required opens a repair round, at most two.
respond {interaction_id, decision, option_id?, answer?}: settles the worker's pending permission request or question.
finalize {review_summary, approved_review_criteria, expected_review_revision, expected_review_tree_hash, commit_message?, wait_timeout_seconds?}: approves exactly the candidate that you reviewed. The host then runs the contract's verification itself and makes one commit on branch remit/<task_id>. Use it only after reading the diff; stale values are refused with the fresh ones. Failed verification leads back to review_required, repairable.
cancel: stops worker and verification for good; not possible once the commit began. close: the same for a task that you no longer need, but never during verification. Both keep worktree and branch, cannot be undone, and change nothing on a task that is over.

An action takes only its own fields; others are refused. It never pushes, merges or touches your checkout. Returns the task's view after the action; on completed with commit_hash and integration_command.`;

export const INSPECT_TEXT = `Read a task without changing it: state, diff, verification results, evidence, risks, usage, the worker's questions, events.

Use it to wait for progress (wait_until with wait_ms, instead of polling), to read what a review bundle cut, or to look into a pause or failure. Do not use it to start, resume, answer or approve: those are reasonix_delegate and reasonix_control.

include names the sections (default: all but events). A page holds at most max_bytes of JSON; truncated means more: call again with next_cursor until it is false; the pages together are complete. A cursor is refused once the task has changed: start again without it. summary is the worker's own claim; verification and acceptance_evidence are what the host saw.`;
