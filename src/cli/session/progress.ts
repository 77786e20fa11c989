import type { TaskDetail, TaskNews, TaskView } from '../../app/index.ts';

type Usage = NonNullable<TaskDetail['usage']>;
type EventRow = Extract<TaskNews, { type: 'event' }>['event'];

/** What a person is shown of a task at work, added up from its news. */
export interface Progress {
  readonly status: TaskView | undefined;
  /** When what goes on now began: the task, its last prompt, or its verification. */
  readonly since: string | undefined;
  readonly agent: string | undefined;
  readonly toolCalls: ReadonlySet<string>;
  readonly decisions: number;
  readonly denied: number;
  readonly files: ReadonlySet<string>;
  readonly usage: Usage | undefined;
  /** What the worker did or said last: its words, not ours. */
  readonly last: string;
  /** The verification command that runs now. */
  readonly check: string | undefined;
  /** Verification commands whose output was told from the beginning. */
  readonly streamed: ReadonlySet<string>;
  /** Verification commands whose end was told. */
  readonly ended: ReadonlySet<string>;
}

export const NO_PROGRESS: Progress = {
  status: undefined,
  since: undefined,
  agent: undefined,
  toolCalls: new Set(),
  decisions: 0,
  denied: 0,
  files: new Set(),
  usage: undefined,
  last: '',
  check: undefined,
  streamed: new Set(),
  ended: new Set(),
};

/** Kinds of tool calls that change files, as ACP names them. */
const WRITES = /^(?:edit|delete|move)$/;
const ALLOWED_WRITE = /^(?:edit|delete|move) (.+)$/s;

export function addNews(progress: Progress, news: TaskNews): Progress {
  switch (news.type) {
    case 'gone':
      return progress;
    case 'status':
      return { ...progress, status: news.status };
    case 'event':
      return addEvent(progress, news.event);
    case 'activity':
      return addActivity(progress, news.activity);
  }
}

function addEvent(progress: Progress, { type, data, timestamp }: EventRow): Progress {
  const facts = (data ?? {}) as Record<string, unknown>;
  switch (type) {
    case 'task_created':
    case 'prompt_begun':
      return { ...progress, since: timestamp };
    case 'worker_started':
      return { ...progress, agent: [facts['name'], facts['version']].filter(Boolean).join(' ') };
    case 'worker_tool_call':
      return addToolCall(progress, facts);
    case 'worker_decision':
      return addDecision(progress, String(facts['action']), facts['decision']);
    case 'approved':
      // Each finalize runs every command anew.
      return { ...progress, since: timestamp, last: '', check: undefined, streamed: new Set(), ended: new Set() };
    default:
      return progress;
  }
}

function addToolCall(progress: Progress, facts: Record<string, unknown>): Progress {
  const { toolCallId, title, kind, paths } = facts;
  const written = WRITES.test(String(kind)) && Array.isArray(paths) ? paths.map(String) : [];
  return {
    ...progress,
    toolCalls: new Set([...progress.toolCalls, String(toolCallId)]),
    files: new Set([...progress.files, ...written]),
    last: String(title),
  };
}

function addDecision(progress: Progress, action: string, decision: unknown): Progress {
  const [, path] = (decision === 'allow' && ALLOWED_WRITE.exec(action)) || [];
  return {
    ...progress,
    decisions: progress.decisions + 1,
    denied: progress.denied + (decision === 'deny' ? 1 : 0),
    files: path === undefined ? progress.files : new Set([...progress.files, path]),
    last: action,
  };
}

function addActivity(progress: Progress, activity: Extract<TaskNews, { type: 'activity' }>['activity']): Progress {
  switch (activity.type) {
    case 'usage':
      return { ...progress, usage: activity.usage };
    case 'message':
      return { ...progress, last: lastLine(activity.text) ?? progress.last };
    case 'check_started':
      return { ...progress, check: activity.id, streamed: new Set([...progress.streamed, activity.id]) };
    case 'check_output':
      return progress;
    case 'check_ended':
      return { ...progress, check: undefined, ended: new Set([...progress.ended, activity.id]) };
  }
}

function lastLine(text: string): string | undefined {
  return text.split('\n').findLast((line) => line.trim() !== '');
}
