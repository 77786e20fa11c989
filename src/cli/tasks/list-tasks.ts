import { resolve } from 'node:path';
import type { TaskListing } from '../../app/index.ts';
import { visibleLine } from '../../base/index.ts';
import { taskTable } from '../render/task-table.ts';
import type { Style } from '../terminal.ts';
import { answer, atDesk, type DeskWords } from './at-task.ts';

export interface ListWords extends DeskWords {
  all?: boolean;
  repo?: string;
}

export function listTasks(words: ListWords): Promise<void> {
  const { all = false, repo } = words;
  return atDesk(words, async (desk) => {
    const directory = repo === undefined ? undefined : resolve(repo);
    const listing = await desk.list({ directory, onlyLiving: !all });
    answer(listing, words, (value, style, width) => describeListing(value, words, style, width));
  });
}

function describeListing(listing: TaskListing, words: ListWords, style: Style, width: number): string {
  if (listing.tasks.length > 0) return taskTable(listing, style, width, new Date());
  const where = words.repo === undefined ? '' : ` of the repository at ${visibleLine(words.repo)}`;
  return words.all
    ? `There is no task${where} yet. To begin one: remit contract new > task.jsonc, then remit run task.jsonc`
    : `No task${where} is open. To begin one: remit run task.jsonc. Those that are over: remit task list --all`;
}
