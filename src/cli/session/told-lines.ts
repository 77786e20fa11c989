import type { TaskNews } from '../../app/index.ts';
import { checkNewsLines } from '../render/check-news.ts';
import { telling } from '../render/event-lines.ts';
import { paragraph, quoted } from '../render/foreign-text.ts';
import type { Style } from '../terminal.ts';

type EventRow = Extract<TaskNews, { type: 'event' }>['event'];
type Activity = Extract<TaskNews, { type: 'activity' }>['activity'];

/** What stays on the screen of a piece of news: none for most. Foreign words stand behind a margin or inside a line of ours. */
export function toldLines(news: TaskNews, style: Style, width: number): string[] {
  if (news.type === 'event') return eventLines(news.event, style, width);
  return news.type === 'activity' ? activityLines(news.activity, style, width) : [];
}

/** Events that a person who stays with a task reads as they happen; the others stand in the lines that are redrawn. */
const TOLD = /^(?:worker_started|worker_warning|settings_hidden|repair_begun|steered|resumed|approved)$/;

function eventLines(event: EventRow, style: Style, width: number): string[] {
  const { type, data } = event;
  const facts = (data ?? {}) as Record<string, unknown>;
  if (type === 'worker_decision' && facts['decision'] === 'deny')
    return deniedLines(String(facts['action']), String(facts['clause']), style, width);
  if (!TOLD.test(type)) return [];
  const { text, quote = '', format } = telling(event);
  const mark = format === 'yellow' ? '!' : '•';
  const line = paragraph(`${mark} `, text, width);
  return [
    // Coloured afterwards: what colours has a length, and no width.
    format === undefined ? line : line.replace(mark, style(format, mark)),
    ...quoted(quote, style, width),
  ];
}

function deniedLines(action: string, clause: string, style: Style, width: number): string[] {
  return [paragraph('✗ denied: ', action, width).replace('✗', style('red', '✗')), paragraph('    by ', clause, width)];
}

function activityLines(activity: Activity, style: Style, width: number): string[] {
  // The worker's words come by the piece; the last ones stand in the lines that are redrawn.
  if (activity.type === 'message' || activity.type === 'usage') return [];
  return checkNewsLines(activity, style, width);
}
