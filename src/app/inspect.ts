import { visibleText } from '../base/index.ts';
import { acceptanceRows, readChecks } from '../review/index.ts';
import { isTerminal, type TaskRecord } from '../task/index.ts';
import { requireReading } from './access.ts';
import { cursorSections } from './inspect-cursor.ts';
import { pageSections } from './inspect-page.ts';
import type { CallContext } from './operations.ts';
import type { HostRooms } from './rooms.ts';
import { readInteractions } from './task-answer.ts';
import { requireTaskId } from './task-id.ts';
import { reviewOf, viewRisks, viewSummary, viewTask } from './task-view.ts';
import {
  type InspectInput,
  type InspectOutput,
  type InspectSections,
  SECTION_NAMES,
  type SectionName,
} from './wire-schemas.ts';

/** Shown when nothing was named: all but the events. */
const DEFAULT_SECTIONS: readonly SectionName[] = SECTION_NAMES.filter((name) => name !== 'events');

/** Reads a task, waiting first when asked to. It changes nothing, but shows the task of a host that died as landed. */
export async function inspect(rooms: HostRooms, input: InspectInput, context: CallContext): Promise<InspectOutput> {
  requireTaskId(input.task_id);
  await requireReading(rooms, rooms.journal.read(input.task_id), context);
  await rooms.recover(input.task_id);
  const record = await waitFirst(rooms, input, context);
  const sections = await buildSections(rooms, record, wantedSections(rooms, input));
  return pageSections({
    taskId: record.task_id,
    revision: record.updated_at,
    updatedAt: record.updated_at,
    sections,
    maxBytes: input.max_bytes,
    cursor: input.cursor,
    key: rooms.store.signingKey(),
  });
}

/** A cursor alone goes on with the sections that it was given for. */
function wantedSections(rooms: HostRooms, input: InspectInput): readonly SectionName[] {
  if (input.include !== undefined) return input.include;
  return input.cursor === undefined
    ? DEFAULT_SECTIONS
    : cursorSections(input.task_id, input.cursor, rooms.store.signingKey());
}

async function waitFirst(rooms: HostRooms, input: InspectInput, context: CallContext): Promise<TaskRecord> {
  const before = rooms.journal.read(input.task_id);
  if (!input.wait_ms) return before;
  const done = {
    change: (record: TaskRecord) => record.updated_at !== before.updated_at || isTerminal(record.status.state),
    review_required: (record: TaskRecord) =>
      record.status.state === 'review_required' || isTerminal(record.status.state),
    interaction: (record: TaskRecord) => 'interaction_id' in record.status || isTerminal(record.status.state),
    terminal: (record: TaskRecord) => isTerminal(record.status.state),
  }[input.wait_until ?? 'change'];
  using _watch = rooms.owners.watch(input.task_id);
  const { record } = await rooms.journal.wait(input.task_id, done, {
    timeoutMs: input.wait_ms,
    signal: context.signal,
  });
  return record;
}

async function buildSections(
  rooms: HostRooms,
  record: TaskRecord,
  names: readonly SectionName[],
): Promise<InspectSections> {
  const sections: InspectSections = {};
  for (const name of names) await SECTIONS[name](sections, rooms, record);
  return sections;
}

type SectionBuilder = (into: InspectSections, rooms: HostRooms, record: TaskRecord) => void | Promise<void>;

const SECTIONS: Readonly<Record<SectionName, SectionBuilder>> = {
  status: (into, _rooms, record) => {
    into.status = viewTask(record);
  },
  summary: (into, _rooms, record) => withReview(record, (review) => (into.summary = viewSummary(review))),
  changed_files: (into, _rooms, record) => withReview(record, (review) => (into.changed_files = review.changed_files)),
  diff_stat: (into, _rooms, record) => withReview(record, (review) => (into.diff_stat = visibleText(review.diff_stat))),
  diff: async (into, rooms, record) => {
    const review = reviewOf(record);
    if (review) into.diff = await rooms.diffs.read(record, review);
  },
  verification: (into, rooms, record) => {
    into.verification = readChecks(record, rooms.store);
  },
  acceptance_evidence: (into, rooms, record) => {
    into.acceptance_evidence = acceptanceRows(record, rooms.store);
  },
  risks: (into, _rooms, record) => withReview(record, (review) => (into.risks = viewRisks(review))),
  usage: (into, _rooms, record) => {
    if (record.usage) into.usage = record.usage;
  },
  interactions: (into, rooms, record) => {
    into.interactions = readInteractions(rooms, record.task_id);
  },
  events: (into, rooms, record) => {
    into.events = rooms.store
      .readEvents(record.task_id)
      .map(({ seq, timestamp, type, data }) => ({ seq, timestamp, type, data }));
  },
};

function withReview(record: TaskRecord, use: (review: NonNullable<ReturnType<typeof reviewOf>>) => void): void {
  const review = reviewOf(record);
  if (review) use(review);
}
