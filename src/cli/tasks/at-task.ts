import type { Desk } from '../../app/index.ts';
import { print } from '../print.ts';
import { jsonText } from '../render/json-text.ts';
import { type Style, styleFor, widthFor } from '../terminal.ts';
import { withDesk } from '../with-desk.ts';
import { chooseTask } from './task-choice.ts';

/** What every command about tasks takes; the names of settings are theirs in the configuration. */
export interface DeskWords {
  stateDir?: string;
  logLevel?: string;
  json?: boolean;
}

/** Opens the desk for a command about one task. */
export function atTask<T>(
  given: string,
  words: DeskWords,
  work: (desk: Desk, taskId: string) => Promise<T>,
): Promise<T> {
  return atDesk(words, async (desk) => work(desk, await chooseTask(desk, given)));
}

export function atDesk<T>({ stateDir, logLevel }: DeskWords, work: (desk: Desk) => Promise<T>): Promise<T> {
  return withDesk({ ...(stateDir !== undefined && { stateDir }), ...(logLevel !== undefined && { logLevel }) }, work);
}

/** Prints one answer: exactly for a program, or for a person as wide as the terminal is. */
export function answer<T>(
  value: T,
  { json }: DeskWords,
  describe: (value: T, style: Style, width: number) => string,
): void {
  const { stdout, env } = process;
  print(json ? jsonText(value, 2) : describe(value, styleFor(stdout, env), widthFor(stdout)));
}
