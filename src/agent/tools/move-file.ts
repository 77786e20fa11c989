import { z } from 'zod';
import { sha256 } from '../../base/index.ts';
import { fileMoved } from '../../evidence/index.ts';
import { defineTool, failure, type ToolContext, type ToolResult } from './define-tool.ts';
import { shownPath } from './output.ts';
import { changedSince, lastSeen, locate, pathArgument } from './target.ts';

export const moveFile = defineTool({
  name: 'move_file',
  readOnly: false,
  description: 'Move or rename one file of any kind, with its mode; the new path must be free.',
  input: z.strictObject({ from: pathArgument('The file'), to: pathArgument('Its new path') }),
  async run({ from, to }, context) {
    const [source, target] = [locate(context.place, 'from', from), locate(context.place, 'to', to)];
    if (source.kind === 'problem') return failure(source.text);
    if (target.kind === 'problem') return failure(target.text);
    return source.path === target.path
      ? failure('to: is the same path as from. Give another one.')
      : move(context, source.path, target.path);
  },
});

async function move(context: ToolContext, from: string, to: string): Promise<ToolResult> {
  const file = await context.place.files.peek(from);
  if (file.kind === 'absent') return failure(`${shownPath(from)} does not exist. Find it with glob.`);
  if (file.kind === 'refused') return failure(`${shownPath(from)} ${file.reason}.`);
  const digest = sha256(file.bytes);
  const seen = lastSeen(context, from);
  if (seen !== undefined && seen !== 'absent' && seen !== digest) return failure(changedSince(from));
  const outcome = await context.place.files.move(from, to, { expected: { sha256: digest } });
  if (outcome.kind === 'unexpected') return failure(changedSince(from));
  if (outcome.kind === 'refused') return failure(`${shownPath(from)} to ${shownPath(to)}: ${outcome.reason}.`);
  return {
    text: `Moved ${shownPath(from)} to ${shownPath(to)}.`,
    observations: fileMoved(from, to, file.bytes),
  };
}
