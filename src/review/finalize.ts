import { RemitError } from '../base/index.ts';
import { readIdentity } from '../git/index.ts';
import {
  describeCollision,
  findTaskCollision,
  moveTo,
  type Review,
  type SourceCollision,
  type StatusOf,
  type TaskRecord,
  type TaskTools,
  taskRepository,
  untilWritten,
  wrongState,
} from '../task/index.ts';
import { type ApprovalRequest, bindApproval, requireReview } from './approval.ts';
import { commitReviewedTree, settleInterruptedCommit } from './commit.ts';
import { acceptance, recordVerification } from './proof.ts';
import type { Failure } from './run-check.ts';
import { refuseSecrets } from './secret-texts.ts';
import type { Testbeds } from './testbeds.ts';
import { type Verification, verifyTree } from './verification.ts';

/** Finalizing: approve, verify, commit; one transaction on one snapshot. Works without a worker, after a restart too. */
export class Finalizer {
  readonly #tools: TaskTools;
  readonly #testbeds: Testbeds;
  readonly #running = new Map<string, { abort: AbortController; done: Promise<unknown> }>();

  constructor(tools: TaskTools, testbeds: Testbeds) {
    this.#tools = tools;
    this.#testbeds = testbeds;
  }

  /**
   * Begins to finalize: afterwards the task is `verifying`. Throws before that, with nothing changed, for a stale or
   * incomplete approval (`invalid_request`), a source that overlaps (`ownership_ambiguous`), a message with a credential
   * (`secret_detected`). `done` settles with the completed task, or rejects with the task back at review:
   * `verification_failed`, `ownership_ambiguous`, `sandbox_unavailable`, `secret_detected`, `commit_failed`.
   */
  async begin(taskId: string, request: ApprovalRequest): Promise<{ readonly done: Promise<TaskRecord> }> {
    const record = this.#tools.journal.read(taskId);
    const approval = bindApproval(record, request, this.#tools.journal.now());
    await refuseSecrets([
      { what: 'commit_message', text: approval.commit_message },
      { what: 'review_summary', text: approval.summary },
    ]);
    await this.#refuseCollision(record, 'finalize_begin');
    const verifying = this.#approve(taskId, request);
    const abort = new AbortController();
    const done = this.#verifyAndCommit(verifying, abort.signal).finally(() => this.#running.delete(taskId));
    this.#running.set(taskId, { abort, done: done.catch(() => {}) });
    return { done };
  }

  /** Ends a verification whose task was stopped, and waits for its end. */
  async abort(taskId: string): Promise<void> {
    const running = this.#running.get(taskId);
    running?.abort.abort(new Error('the task was stopped'));
    await running?.done;
    await this.#testbeds.discard(taskId);
  }

  /** A verification that a restart cut off: the ref decides whether the commit happened. */
  async recover(record: TaskRecord): Promise<TaskRecord> {
    return settleInterruptedCommit(record, this.#tools);
  }

  async shutdown(): Promise<void> {
    for (const { abort } of this.#running.values()) abort.abort(new Error('the host is stopping'));
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  #approve(taskId: string, request: ApprovalRequest): TaskRecord {
    const { journal } = this.#tools;
    return journal.change(
      taskId,
      { type: 'approved', data: { revision: request.expectedRevision, tree: request.expectedTree } },
      (now) => {
        const { review } = requireReview(now);
        const approval = bindApproval(now, request, journal.now());
        return moveTo(now, { state: 'verifying', phase: 'verifying', review, approval });
      },
    );
  }

  async #verifyAndCommit(record: TaskRecord, signal: AbortSignal): Promise<TaskRecord> {
    const { review, approval } = verifyingStatus(record);
    try {
      // Beside the verification, which is always awaited first: a command must not outlive its task's way back.
      const identity = readIdentity(this.#tools.git, taskRepository(record));
      identity.catch(() => {});
      const verification = await verifyTree(record, review, this.#tools, this.#testbeds, signal);
      recordVerification(record, review, verification, this.#tools);
      requirePassed(record, verification, approval.approved_criteria);
      await this.#refuseCollision(record, 'finalize_commit');
      signal.throwIfAborted();
      const completed = await commitReviewedTree(record, verification, await identity, this.#tools);
      void this.#testbeds.discard(record.task_id);
      return completed;
    } catch (error) {
      return this.#comeBack(record.task_id, error, signal);
    }
  }

  /**
   * Back at review with the reason, unless somebody stopped the task meanwhile. Once the commit began, the branch and not
   * the error says what happened.
   */
  async #comeBack(taskId: string, error: unknown, signal: AbortSignal): Promise<TaskRecord> {
    const { log } = this.#tools;
    const refusal = error instanceof RemitError ? error : undefined;
    if (!refusal && !signal.aborted) {
      log('error', 'finalize failed', { task: taskId, error: String(error), stack: (error as Error)?.stack });
    }
    const problem = refusal ?? interruption(signal);
    const landed = await untilWritten(taskId, () => this.#tryToLand(taskId, problem), { log, signal });
    if (landed.status.state === 'completed' || signal.aborted) return landed;
    throw error;
  }

  async #tryToLand(taskId: string, problem: RemitError): Promise<TaskRecord> {
    const { journal } = this.#tools;
    const record = journal.read(taskId);
    const { status } = record;
    // Of these Git said itself that the branch did not move.
    const isUnmoved = problem.code === 'commit_failed';
    if (status.state === 'verifying' && status.commit !== undefined && !isUnmoved) {
      const settled = await settleInterruptedCommit(record, this.#tools);
      if (settled.status.state === 'completed') return settled;
    }
    return journal.change(taskId, { type: 'finalize_failed', data: { code: problem.code } }, (now) =>
      now.status.state === 'verifying' ? backAtReview(now, now.status.review, problem) : undefined,
    );
  }

  async #refuseCollision(record: TaskRecord, checkpoint: string): Promise<void> {
    const { journal } = this.#tools;
    const collision = await findTaskCollision(record, this.#tools, checkpoint);
    if (!collision) return;
    const error = new RemitError('ownership_ambiguous', describeCollision(collision), {
      details: { source_collision: collision },
    });
    journal.change(record.task_id, { type: 'source_collision', data: { checkpoint } }, (now) =>
      now.status.state === 'review_required' ? backAtReview(now, now.status.review, error, collision) : undefined,
    );
    throw error;
  }
}

function verifyingStatus(record: TaskRecord): StatusOf<'verifying'> {
  if (record.status.state !== 'verifying') throw wrongState(record, 'verify', 'verifying');
  return record.status;
}

function requirePassed(record: TaskRecord, verification: Verification, approved: readonly string[]): void {
  const { failures } = verification;
  const { missing } = acceptance(record, verification, approved);
  if (failures.length === 0 && missing.length === 0) return;
  const told = failures.map(({ id, what }) => `${id} ${what}`);
  const unproven = failures.length === 0 ? [`nothing proves ${missing.join(', ')}`] : [];
  throw new RemitError(
    'verification_failed',
    `Verification of task ${record.task_id} failed: ${[...told, ...unproven].join('; ')}. ${adviceFor(failures)}`,
    { details: { failures } },
  );
}

/** A repair round helps only where the work is at fault; a contract cannot be changed. */
function adviceFor(failures: readonly Failure[]): string {
  const isContract = failures.length > 0 && failures.every(({ fault }) => fault === 'contract');
  if (isContract) {
    return 'The contract asks for a program that is not there, which no repair mends: cancel, and delegate a corrected contract under another task_id.';
  }
  const lacks = failures.some(({ fault }) => fault === 'environment')
    ? 'A verification sees a fresh checkout without network: dependencies that are not committed are not there. '
    : '';
  return `${lacks}Steer a repair, then review and finalize the new revision.`;
}

function interruption(signal: AbortSignal): RemitError {
  return signal.aborted
    ? new RemitError('internal_error', 'The host stopped during the verification: finalize again.')
    : new RemitError('internal_error', 'The host could not finish the verification; its log has the cause.');
}

function backAtReview(record: TaskRecord, review: Review, error: RemitError, collision?: SourceCollision): TaskRecord {
  const status: StatusOf<'review_required'> = {
    state: 'review_required',
    phase: error.code,
    review,
    problem: { code: error.code, message: error.message },
    ...(collision && { collision }),
  };
  return moveTo(record, status);
}
