import type { TaskNews } from '../../app/index.ts';
import { checkNewsLines } from '../render/check-news.ts';
import { inline, paragraph, quoted } from '../render/foreign-text.ts';
import type { Style } from '../terminal.ts';

type EventRow = Extract<TaskNews, { type: 'event' }>['event'];
type Activity = Extract<TaskNews, { type: 'activity' }>['activity'];

/** What stays on the screen of a piece of news: none for most. Foreign words stand behind a margin or inside a line of ours. */
export function toldLines(news: TaskNews, style: Style, width: number): string[] {
  if (news.type === 'event') return eventLines(news.event, style, width);
  return news.type === 'activity' ? activityLines(news.activity, style, width) : [];
}

function eventLines({ type, data }: EventRow, style: Style, width: number): string[] {
  const facts = (data ?? {}) as Record<string, unknown>;
  const text = (name: string) => String(facts[name] ?? '');
  switch (type) {
    case 'worker_started':
      return [paragraph('• ', `${[text('name'), text('version')].join(' ').trim() || 'the worker'} is at work`, width)];
    case 'worker_decision':
      return text('decision') === 'deny' ? deniedLines(text('action'), text('clause'), style, width) : [];
    case 'worker_warning':
      return [paragraph('! ', text('text'), width).replace('!', style('yellow', '!'))];
    case 'settings_hidden':
      return [paragraph('• ', `hidden from the worker: ${listed(facts['paths'])}`, width)];
    case 'repair_begun':
      return [`${style('bold', '•')} repair begins`, ...quoted(text('message'), style, width)];
    case 'steered':
      return ['• the worker was told', ...quoted(text('message'), style, width)];
    case 'resumed':
      return ['• goes on'];
    case 'approved':
      return [`• revision ${inline(text('revision'))} is approved: the host verifies it`];
    default:
      return [];
  }
}

function deniedLines(action: string, clause: string, style: Style, width: number): string[] {
  return [
    // Coloured afterwards: what colours has a length, and no width.
    paragraph('✗ denied: ', action, width).replace('✗', style('red', '✗')),
    paragraph('    by ', clause, width),
  ];
}

function activityLines(activity: Activity, style: Style, width: number): string[] {
  // The worker's words come by the piece; the last ones stand in the lines that are redrawn.
  if (activity.type === 'message' || activity.type === 'usage') return [];
  return checkNewsLines(activity, style, width);
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : '';
}
