import { z } from 'zod';
import { applyEdits, editFields } from './apply-edits.ts';
import { defineTool, failure } from './define-tool.ts';
import { shownPath } from './output.ts';
import { save } from './save.ts';
import { knownFile, locate, pathArgument } from './target.ts';

export const multiEdit = defineTool({
  name: 'multi_edit',
  readOnly: false,
  description: 'Several edits of one file, in order, each as edit_file does it: all of them or none.',
  input: z.strictObject({
    path: pathArgument('The file'),
    edits: z
      .array(z.strictObject(editFields).describe('One edit, of what those before it left.'))
      .min(1)
      .max(100)
      .describe('The edits, in order.'),
  }),
  async run({ path: written, edits }, context) {
    const located = locate(context.place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    const file = await knownFile(context, located.path);
    if (file.kind === 'problem') return failure(file.text);
    const edited = applyEdits(located.path, file.content.text, edits, (at) => `edits[${at}].old_string`);
    if (edited.kind === 'problem') return failure(edited.text);
    const after = { ...file.content, text: edited.text };
    const done = `Made ${edits.length} edits in ${shownPath(located.path)}.`;
    return save(context, { path: located.path, before: file, after }, done);
  },
});
