import { z } from 'zod';
import { applyEdits, editFields } from './apply-edits.ts';
import { defineTool, failure } from './define-tool.ts';
import { shownPath } from './output.ts';
import { save } from './save.ts';
import { knownFile, locate, pathArgument } from './target.ts';

export const editFile = defineTool({
  name: 'edit_file',
  readOnly: false,
  description:
    'Replace one exact, unique text in a file that was read. Line breaks, byte order mark and mode stay as they are.',
  input: z.strictObject({ path: pathArgument('The file'), ...editFields }),
  async run({ path: written, ...edit }, context) {
    const located = locate(context.place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    const file = await knownFile(context, located.path);
    if (file.kind === 'problem') return failure(file.text);
    const edited = applyEdits(located.path, file.content.text, [edit], () => 'old_string');
    if (edited.kind === 'problem') return failure(edited.text);
    const after = { ...file.content, text: edited.text };
    const done = `Replaced ${edited.count === 1 ? 'one text' : `${edited.count} texts`} in ${shownPath(located.path)}.`;
    return save(context, { path: located.path, before: file, after }, done);
  },
});
