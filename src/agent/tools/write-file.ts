import { z } from 'zod';
import type { TextContent } from '../../base/index.ts';
import { commonBreak, withBreaks } from '../../base/index.ts';
import { defineTool, failure } from './define-tool.ts';
import { shownPath } from './output.ts';
import { save } from './save.ts';
import { locate, pathArgument, textOf, unknownContent } from './target.ts';

/** Bytes; a larger text is written in parts. */
const MOST_CHARACTERS = 1_000_000;
const BYTE_ORDER_MARK = '\ufeff';

export const writeFile = defineTool({
  name: 'write_file',
  readOnly: false,
  description:
    'Make a file, with its folders, or replace the whole text of one that was read. A replaced file keeps its line breaks, byte order mark and mode. Prefer edit_file for a change.',
  input: z.strictObject({
    path: pathArgument('The file'),
    content: z.string().max(MOST_CHARACTERS).describe('The whole text, with a line break at its end.'),
  }),
  async run({ path: written, content }, context) {
    const located = locate(context.place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    const { path } = located;
    const current = textOf(path, await context.place.files.peek(path));
    if (current.kind === 'problem') return failure(current.text);
    if (current.kind === 'absent') return save(context, { path, after: newText(content) }, `Made ${shownPath(path)}.`);
    const problem = unknownContent(context, path, current.sha256);
    if (problem !== undefined) return failure(problem);
    const after = inTheMannerOf(current.content, content);
    return save(context, { path, before: current, after }, `Replaced the text of ${shownPath(path)}.`);
  },
});

function newText(content: string): TextContent {
  const byteOrderMark = content.startsWith(BYTE_ORDER_MARK);
  return { text: byteOrderMark ? content.slice(1) : content, byteOrderMark };
}

function inTheMannerOf(old: TextContent, content: string): TextContent {
  const { text } = newText(content);
  const lineBreak = commonBreak(old.text);
  return { text: lineBreak === undefined ? text : withBreaks(text, lineBreak), byteOrderMark: old.byteOrderMark };
}
