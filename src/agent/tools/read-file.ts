import { z } from 'zod';
import { commonBreak, splitLines, withoutBreak } from '../../base/index.ts';
import type { LineWindow, Place } from '../place/place.ts';
import { defineTool, failure, type ToolResult } from './define-tool.ts';
import { OUTPUT_BYTES, pageOf, shownPath } from './output.ts';
import { locate, pathArgument, type TextFile, textOf } from './target.ts';

const MOST_LINES = 2000;

export const readFile = defineTool({
  name: 'read_file',
  readOnly: true,
  description:
    'Read a UTF-8 text file as numbered lines (number, tab, text). Read a file before you change it, and again what you changed before review_report.',
  input: z.strictObject({
    path: pathArgument('The file'),
    from: z.int().min(1).optional().describe('First line to show, from 1. Default 1.'),
    to: z.int().min(1).optional().describe(`Last line to show. Default and most: ${MOST_LINES} lines.`),
  }),
  async run({ path: written, from = 1, to = from + MOST_LINES - 1 }, { place }) {
    const located = locate(place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    if (to < from) return failure(`to: ${to} stands before from (${from}). Give the last line to show.`);
    const { path } = located;
    const count = Math.min(to - from + 1, MOST_LINES);
    const file = textOf(path, await place.files.peek(path));
    if (file.kind === 'absent') return failure(`${shownPath(path)} does not exist. Find it with glob or ls.`);
    return file.kind === 'problem' ? failure(file.text) : show(place, path, file, { from, count });
  },
});

async function show(place: Place, path: string, file: TextFile, { from, count }: LineWindow): Promise<ToolResult> {
  const lines = splitLines(file.content.text);
  if (from > Math.max(lines.length, 1)) {
    return failure(`from: ${shownPath(path)} has only ${lines.length} lines. Give a line up to that.`);
  }
  const window = lines.slice(from - 1, from - 1 + count).map((line, at) => `${from + at}\t${withoutBreak(line)}`);
  const shown = pageOf(window, 0, count).lines;
  const told = await place.files.show(path, { from, count: shown.length }, file.sha256);
  if (told.kind === 'unexpected') return failure(`${shownPath(path)} changes while it is read. Read it again.`);
  if (told.kind === 'refused') return failure(`${shownPath(path)} ${told.reason}.`);
  const last = from + shown.length - 1;
  const ranges = shown.length === 0 ? [] : [{ from, to: last }];
  const text = [...shown, closing(file, lines, last, window[shown.length])].join('\n');
  return {
    text,
    observations: [{ kind: 'read', path, ranges, total_lines: lines.length, sha256: file.sha256 }],
  };
}

/** What is not to be seen in the lines: where they end, and how the file is kept on disk. */
function closing({ content }: TextFile, lines: readonly string[], last: number, following: string | undefined): string {
  const total = lines.length;
  const notes = [
    total === 0 ? 'the file is empty' : `${total} lines`,
    ...(commonBreak(content.text) === '\r\n' ? ['CRLF line breaks'] : []),
    ...(content.byteOrderMark ? ['byte order mark'] : []),
    ...(total > 0 && !lines.at(-1)?.endsWith('\n') ? ['no line break at the end'] : []),
  ];
  if (last >= total) return `[${notes.join(', ')}]`;
  const next = last + 1;
  if (following === undefined || Buffer.byteLength(following) < OUTPUT_BYTES)
    return `[${notes.join(', ')}; read on with from ${next}]`;
  return `[${notes.join(', ')}; line ${next} alone is longer than a call shows; search it with grep, read on with from ${next + 1}]`;
}
