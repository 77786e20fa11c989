import type { TaskNews } from '../../app/index.ts';
import type { Style } from '../terminal.ts';
import { paragraph, quoted } from './foreign-text.ts';
import { clockText } from './measures.ts';

type EventRow = Extract<TaskNews, { type: 'event' }>['event'];

interface Telling {
  readonly text: string;
  /** Words of the worker or the supervisor, to stand behind a margin below. */
  readonly quote?: string;
  readonly format?: Parameters<Style>[0];
}

/** A status that follows at once says what these do. */
const SILENT =
  /^(?:phase|work_ended|work_interrupted|committed|commit_failed|cancelled|closed|host_stopped|recovered|worker_refused|worker_session)$/;

/** An event of a task's journal as lines for a person; one that is not known is named by its type. */
export function eventLines(event: EventRow, style: Style, width: number): string[] {
  if (SILENT.test(event.type)) return [];
  const told = telling(event);
  const line = paragraph(`${clockText(event.timestamp)}  `, told.text, width);
  const quote = told.quote?.trim() ?? '';
  return [
    told.format === undefined ? line : colourOf(line, told.format, style),
    ...(quote === '' ? [] : quoted(quote, style, width)),
  ];
}

/** Each line by itself, so that no colour runs over a line's end. */
function colourOf(text: string, format: Parameters<Style>[0], style: Style): string {
  return text
    .split('\n')
    .map((line) => style(format, line))
    .join('\n');
}

/** What an event says, without the time of day. */
export function telling({ type, data }: EventRow): Telling {
  const facts = (data ?? {}) as Record<string, unknown>;
  return tellingOf(type, (name) => String(facts[name] ?? ''), facts);
}

function tellingOf(type: string, text: (name: string) => string, facts: Record<string, unknown>): Telling {
  switch (type) {
    case 'task_created':
      return { text: 'delegated' };
    case 'settings_hidden':
      return { text: `hidden from the worker: ${listed(facts['paths'])}` };
    case 'worker_started':
      return {
        text: `worker started: ${[text('name'), text('version')].join(' ').trim() || 'it does not say its name'}`,
      };
    case 'prompt_begun':
      return { text: 'the worker has its prompt' };
    case 'worker_tool_call':
      return { text: `tool: ${text('title')}${text('status') === 'failed' ? ' (failed)' : ''}`, format: 'dim' };
    case 'worker_decision':
      return decision(text('decision'), text('action'), text('clause'));
    case 'worker_phase':
      return { text: `the worker's phase: ${text('phase')}`, format: 'dim' };
    case 'worker_stderr':
      return { text: 'the worker wrote to its standard error', quote: text('text'), format: 'dim' };
    case 'worker_warning':
      return { text: `warning: ${text('text')}`, format: 'yellow' };
    case 'worker_events_limited':
      return { text: 'the worker reports too much: further events are not kept', format: 'yellow' };
    case 'turn_ended':
      return { text: `the worker ended its turn (${text('stop_reason') || text('outcome')})`, quote: text('claim') };
    case 'interaction_opened':
      return { text: 'the worker asks', quote: text('title'), format: 'yellow' };
    case 'interaction_resolved':
      return { text: 'its question was answered' };
    case 'interaction_cancelled':
      return { text: 'its question was withdrawn' };
    case 'resumed':
      return { text: 'goes on', quote: text('message') };
    case 'steered':
      return { text: 'the worker was told', quote: text('message') };
    case 'repair_begun':
      return { text: 'a repair was asked for', quote: text('message') };
    case 'approved':
      return { text: `revision ${text('revision')} was approved` };
    case 'commit_begun':
      return { text: `commit ${text('commit')}` };
    case 'finalize_failed':
      return { text: `not committed: ${text('code')}`, format: 'red' };
    default:
      return { text: type.replaceAll('_', ' ') };
  }
}

function decision(made: string, action: string, clause: string): Telling {
  const because = clause === '' ? '' : ` (${clause})`;
  if (made === 'deny') return { text: `denied: ${action}${because}`, format: 'red' };
  return { text: `${made === 'allow' ? 'allowed' : made}: ${action}${because}`, format: 'dim' };
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : '';
}
