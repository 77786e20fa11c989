import { redact, sha256, truncateUtf8, visibleLine } from '../base/index.ts';
import { parseStoredContract } from '../contract/index.ts';
import type { DeliveryGate, WorkerReview } from '../evidence/index.ts';
import type { TakenChange } from '../git/index.ts';
import { moveTo } from './lifecycle.ts';
import type { Review, SourceCollision, StatusOf, TaskRecord } from './record.ts';

/** What the host made of a worktree when the worker fell idle; decided by `review/`, landed here. */
export type SnapshotVerdict =
  | {
      kind: 'reviewable';
      review: Omit<Review, 'revision' | 'created_at' | 'summary' | 'worker_review'>;
      /** Everything in which the tree differs from the base. */
      taken: readonly TakenChange[];
    }
  | { kind: 'no_change_in_scope'; outOfScope: readonly string[]; ignored: readonly string[] }
  | { kind: 'refused'; phase: string; paths: readonly string[]; reason: string };

/** How a prompt ended, reduced to what decides where the task lands. */
export type WorkEnd =
  | {
      kind: 'idle';
      verdict: SnapshotVerdict;
      summary: string;
      risks: readonly string[];
      /** What the host's own ledger says of the work of a worker that works through it. */
      readiness?: { gate: DeliveryGate; review: WorkerReview | undefined };
    }
  | { kind: 'interrupted'; phase: string; reason: string }
  | { kind: 'collision'; collision: SourceCollision };

const LISTED_PATHS = 20;

/** Names at most twenty paths and counts the rest. */
export function listPaths(paths: readonly string[]): string {
  const more = paths.length - LISTED_PATHS;
  // A name can be a credential, too.
  return redact(paths.slice(0, LISTED_PATHS).join(', ')) + (more > 0 ? ` and ${more} more` : '');
}

/** The landing table of the design: the end of work → the task's next record. */
export function land(record: TaskRecord, end: WorkEnd, now: string): TaskRecord {
  if (end.kind === 'interrupted') return pause(record, end.phase, end.reason);
  if (end.kind === 'collision') {
    return pause(record, 'source_collision', describeCollision(end.collision), end.collision);
  }
  const { verdict } = end;
  switch (verdict.kind) {
    case 'reviewable':
      return end.readiness === undefined || end.readiness.gate.kind === 'ready'
        ? review(record, verdict.review, end, now)
        : pause(record, 'readiness_paused', describeUnready(end.readiness.gate));
    case 'refused':
      return pause(record, verdict.phase, `${verdict.reason}: ${listPaths(verdict.paths)}`);
    case 'no_change_in_scope':
      return pause(record, 'no_change_in_scope', describeNoChange(record, verdict));
  }
}

function review(
  record: TaskRecord,
  candidate: Extract<SnapshotVerdict, { kind: 'reviewable' }>['review'],
  end: Extract<WorkEnd, { kind: 'idle' }>,
  now: string,
): TaskRecord {
  const revision = record.review_revision + 1;
  const risks = [...end.risks, ...candidate.risks, ...record.standing_risks];
  const status: StatusOf<'review_required'> = {
    state: 'review_required',
    phase: 'review_ready',
    review: { ...candidate, risks, revision, summary: end.summary, created_at: now, ...workerReview(end) },
  };
  const { guidance: _done, ...reviewable } = moveTo(record, status);
  return { ...reviewable, review_revision: revision };
}

function workerReview({ readiness }: Extract<WorkEnd, { kind: 'idle' }>): Pick<Review, 'worker_review'> {
  return readiness?.review === undefined ? {} : { worker_review: readiness.review };
}

const LISTED_GAPS = 20;

/** The gaps with the calls that close them: the worker is told them again when it is resumed. */
function describeUnready(gate: Exclude<DeliveryGate, { kind: 'ready' }>): string {
  if (gate.kind === 'blocked') return `The worker’s own review forbids delivery:\n${shownList(gate.findings)}`;
  const gaps = gate.kind === 'missing' ? gate.gaps : [];
  const lines = gaps.map(({ message, call }) => `${message} Call ${call.tool} ${JSON.stringify(call.arguments)}.`);
  return `The work is not ready to be handed over. Missing:\n${shownList(lines)}\nResume to let the worker go on.`;
}

function shownList(texts: readonly string[]): string {
  const more = texts.length > LISTED_GAPS ? [`… and ${texts.length - LISTED_GAPS} more`] : [];
  const shown = texts.slice(0, LISTED_GAPS).map((text) => redact(visibleLine(truncateUtf8(text, 1024))));
  return [...shown, ...more].map((line) => `- ${line}`).join('\n');
}

/** A pause is: revision +1, and the hash of its reason as the token that a resume must echo. */
export function pause(record: TaskRecord, phase: string, reason: string, collision?: SourceCollision): TaskRecord {
  const status: StatusOf<'paused'> = {
    state: 'paused',
    phase,
    reason,
    reason_hash: sha256(reason),
    ...(collision && { collision }),
  };
  return { ...moveTo(record, status), pause_revision: record.pause_revision + 1 };
}

export function describeCollision(collision: SourceCollision): string {
  if (collision.unavailable) {
    return 'The source checkout cannot be read: make it available again at its recorded place, then resume.';
  }
  return (
    `The source checkout changed where it overlaps the write scope: ${listPaths(collision.overlappingPaths)}. ` +
    `Commit, stash or revert those paths there (base ${collision.baseCommit.slice(0, 12)}, ` +
    `source at ${(collision.sourceHead ?? 'no commit').slice(0, 12)}), then try again.`
  );
}

function describeNoChange(
  record: TaskRecord,
  { outOfScope, ignored }: Extract<SnapshotVerdict, { kind: 'no_change_in_scope' }>,
): string {
  const { write_scope } = parseStoredContract(record.contract);
  const scope = `the write scope (${listPaths(write_scope)})`;
  if (ignored.length > 0) {
    const outside = outOfScope.length === 0 ? '' : ` Changed outside of it, and never taken: ${listPaths(outOfScope)}.`;
    return (
      `All that the worker changed in ${scope} is ignored by the repository, so it is never committed: ${listPaths(ignored)}.${outside} ` +
      'Stop ignoring those paths in the repository, or cancel and delegate a contract about files that it keeps.'
    );
  }
  return outOfScope.length === 0
    ? `The worker ended its turn without any change in ${scope}. Resume to let it try again, or cancel and delegate a clearer contract under another task_id.`
    : `The worker changed only paths outside ${scope}, which are never taken: ${listPaths(outOfScope)}. ` +
        'Cancel and delegate a contract whose write_scope covers what the task needs, or resume to let it try again.';
}
