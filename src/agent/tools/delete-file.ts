import { z } from 'zod';
import { fileDeleted } from '../../evidence/index.ts';
import { defineTool, failure } from './define-tool.ts';
import { shownPath } from './output.ts';
import { changedSince, lastSeen, locate, pathArgument } from './target.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  readOnly: false,
  description: 'Delete one file of any kind, no folder.',
  input: z.strictObject({ path: pathArgument('The file') }),
  async run({ path: written }, context) {
    const located = locate(context.place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    const { path } = located;
    const before = await context.place.files.peek(path);
    const seen = lastSeen(context, path);
    const expectation = seen === undefined || seen === 'absent' ? {} : { expected: { sha256: seen } };
    const outcome = await context.place.files.remove(path, expectation);
    if (outcome.kind === 'refused') return failure(`${shownPath(path)} ${outcome.reason}.`);
    if (outcome.kind === 'unexpected') {
      return failure(before.kind === 'absent' ? `${shownPath(path)} does not exist.` : changedSince(path));
    }
    return {
      text: `Deleted ${shownPath(path)}.`,
      observations: [fileDeleted(path, before.kind === 'file' ? before.bytes : undefined)],
    };
  },
});
