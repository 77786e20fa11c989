import { basename } from 'node:path/posix';
import stringWidth from 'string-width';
import type { ListedTask, TaskListing } from '../../app/index.ts';
import { visibleLine } from '../../base/index.ts';
import type { Style } from '../terminal.ts';
import { inline } from './foreign-text.ts';
import { ageText } from './measures.ts';
import { needsSomebody, stateText, stateWords } from './states.ts';
import { cutToWidth, padToWidth } from './text-width.ts';

const GAP = '  ';
const LEAST_OBJECTIVE = 12;
const MOST_REPOSITORY = 24;
const HEAD = { id: 'TASK', state: 'STATE', repository: 'REPOSITORY', age: 'AGE', objective: 'OBJECTIVE' };

type Column = keyof typeof HEAD;
type Row = Readonly<Record<Column, string>> & { readonly task?: ListedTask };

/** Tasks as a table of at most so many columns, those that wait for somebody first and marked with `!`. */
export function taskTable({ tasks }: TaskListing, style: Style, width: number, now: Date): string {
  const waiting = tasks.filter(({ state }) => needsSomebody(state));
  const sorted = [...waiting, ...tasks.filter(({ state }) => !needsSomebody(state))];
  const names = repositoryNames(tasks.map(({ repository }) => repository));
  const rows: Row[] = [HEAD, ...sorted.map((task) => rowOf(task, names, now))];
  const widths = fit(rows, width);
  return rows.map((row) => line(row, widths, style)).join('\n');
}

function rowOf(task: ListedTask, names: ReadonlyMap<string, string>, now: Date): Row {
  return {
    id: visibleLine(task.task_id),
    state: stateWords(task),
    repository: names.get(task.repository) ?? '',
    age: ageText(task.created_at, now),
    objective: inline(task.objective),
    task,
  };
}

/** A repository by the name of its folder; two of one name by as much of their paths as tells them apart. */
function repositoryNames(roots: readonly string[]): Map<string, string> {
  const different = [...new Set(roots)];
  const short = (root: string) => basename(root) || root;
  const isAmbiguous = (root: string) => different.some((other) => other !== root && short(other) === short(root));
  return new Map(different.map((root) => [root, visibleLine(isAmbiguous(root) ? root : short(root))]));
}

/** Columns by their widest cell; what does not fit is taken from the objective first, then from the others in turn. */
function fit(rows: readonly Row[], width: number): Map<Column, number> {
  const widest = (column: Column) => Math.max(...rows.map((row) => stringWidth(row[column])));
  const room = width - 2;
  const share = Math.max(6, Math.floor(room / 3));
  const widths = new Map<Column, number>([
    ['id', Math.min(widest('id'), share)],
    ['state', Math.min(widest('state'), share)],
  ]);
  let left = room - [...widths.values()].reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  const add = (column: Column, wanted: number, mustRemain: number) => {
    if (left - wanted - GAP.length < mustRemain) return;
    widths.set(column, wanted);
    left -= wanted + GAP.length;
  };
  const repository = Math.min(widest('repository'), MOST_REPOSITORY, Math.max(4, Math.floor(room / 6)));
  const age = widest('age');
  add('repository', repository, age + LEAST_OBJECTIVE + 2 * GAP.length);
  add('age', age, 0);
  if (left - GAP.length >= LEAST_OBJECTIVE) widths.set('objective', left - GAP.length);
  return widths;
}

function line(row: Row, widths: ReadonlyMap<Column, number>, style: Style): string {
  const { task } = row;
  const cells = [...widths].map(([column, width]) => {
    const cell = cutToWidth(row[column], width);
    const filled = column === 'objective' ? cell : padToWidth(cell, width);
    if (task === undefined) return style('dim', filled);
    if (column !== 'state') return column === 'id' ? style('bold', filled) : filled;
    // The colour by the state, on the words as they were cut.
    return stateText(task, (format) => style(format, cell)) + filled.slice(cell.length);
  });
  const mark = task !== undefined && needsSomebody(task.state) ? style('yellow', '!') : ' ';
  return `${mark} ${cells.join(GAP)}`.trimEnd();
}
