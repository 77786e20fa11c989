import { inline } from '../render/foreign-text.ts';
import { costText, countText, durationText } from '../render/measures.ts';
import { stateText } from '../render/states.ts';
import { cutToWidth } from '../render/text-width.ts';
import type { Style } from '../terminal.ts';
import type { Progress } from './progress.ts';

/** The lines that are redrawn while a task is at work: where it stands with its numbers, and what was done last. */
export function liveLines(
  taskId: string,
  progress: Progress,
  elapsedMs: number,
  style: Style,
  width: number,
): string[] {
  const { status, check, last } = progress;
  // A clock in whole seconds: tenths would only flicker.
  const clock = durationText(Math.floor(elapsedMs / 1000) * 1000)
    .replace('.0 s', ' s')
    .replace('0 ms', '0 s');
  const numbers = [clock, ...numbersOf(progress)].join(' · ');
  const standing =
    status === undefined
      ? 'delegating'
      : cutToWidth(
          stateText(status, (_format, text) => text),
          40,
        );
  const head = cutToWidth(`${taskId}  ${standing}  ${numbers}`, width - 1);
  const coloured =
    status === undefined || !head.includes(standing) ? head : head.replace(standing, stateText(status, style));
  const doing = check !== undefined ? `runs ${check}` : last;
  return doing === '' ? [coloured] : [coloured, style('dim', cutToWidth(`  │ ${inline(doing)}`, width - 1))];
}

function numbersOf({ toolCalls, decisions, denied, files, usage }: Progress): string[] {
  const calls = Math.max(toolCalls.size, decisions);
  return [
    ...(calls === 0 ? [] : [counted(calls, 'tool call')]),
    ...(denied === 0 ? [] : [`${denied} denied`]),
    ...(files.size === 0 ? [] : [counted(files.size, 'file')]),
    ...tokensOf(usage),
  ];
}

function tokensOf(usage: Progress['usage']): string[] {
  if (usage === undefined) return [];
  const tokens = usage.promptTokens + usage.completionTokens;
  return [
    ...(tokens === 0 ? [] : [`${countText(tokens)} tokens`]),
    ...(usage.estimatedCost === null ? [] : [costText(usage.estimatedCost, usage.currency)]),
  ];
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
