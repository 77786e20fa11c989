import { z } from 'zod';
import { splitLines, withoutBreak } from '../../base/index.ts';
import { defineTool, failure } from './define-tool.ts';
import { shownPath } from './output.ts';
import { save } from './save.ts';
import { knownFile, locate, pathArgument } from './target.ts';

export const deleteRange = defineTool({
  name: 'delete_range',
  readOnly: false,
  description: 'Delete whole lines of a file that was read, by the numbers that read_file showed.',
  input: z.strictObject({
    path: pathArgument('The file'),
    from: z.int().min(1).describe('First line to delete, from 1.'),
    to: z.int().min(1).describe('Last line to delete; not before `from`.'),
  }),
  async run({ path: written, from, to }, context) {
    const located = locate(context.place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    if (to < from) return failure(`to: ${to} stands before from (${from}). Give the last line of the range.`);
    const { path } = located;
    const file = await knownFile(context, path);
    if (file.kind === 'problem') return failure(file.text);
    const lines = splitLines(file.content.text);
    if (to > lines.length)
      return failure(`to: ${shownPath(path)} has only ${lines.length} lines. Give a line up to that.`);
    const after = { ...file.content, text: withoutLines(lines, from, to) };
    const count = to - from + 1;
    const done = `Deleted ${count === 1 ? 'one line' : `${count} lines`} of ${shownPath(path)}.`;
    return save(context, { path, before: file, after }, done);
  },
});

/** A text without a break at its end has none after its last lines went either. */
function withoutLines(lines: readonly string[], from: number, to: number): string {
  const left = [...lines.slice(0, from - 1), ...lines.slice(to)].join('');
  const lostUnbrokenEnd = to === lines.length && !lines.at(-1)?.endsWith('\n');
  return lostUnbrokenEnd ? withoutBreak(left) : left;
}
