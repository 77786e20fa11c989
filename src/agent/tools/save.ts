import { encodeText, sha256, type TextContent } from '../../base/index.ts';
import { fileWritten, type WriteObservation } from '../../evidence/index.ts';
import { failure, type ToolContext, type ToolResult } from './define-tool.ts';
import { shownPath } from './output.ts';
import { changedSince } from './target.ts';

export interface Change {
  readonly path: string;
  /** What is replaced; left out for a new file. */
  readonly before?: { readonly content: TextContent; readonly sha256: string };
  readonly after: TextContent;
}

/** Puts the new content in the file's place, unless it changed meanwhile, and says which lines are new. */
export async function save(context: ToolContext, { path, before, after }: Change, done: string): Promise<ToolResult> {
  if (!after.text.isWellFormed())
    return failure(`${shownPath(path)} was not changed: the new text holds half a character (a lone surrogate).`);
  const bytes = encodeText(after);
  if (before !== undefined && sha256(bytes) === before.sha256)
    return failure(`${shownPath(path)} was not changed: the new content is the old one.`);
  const expected = before === undefined ? 'absent' : { sha256: before.sha256 };
  const outcome = await context.place.files.write(path, bytes, { expected });
  if (outcome.kind === 'refused') return failure(`${shownPath(path)} ${outcome.reason}.`);
  if (outcome.kind === 'unexpected') return failure(changedSince(path));
  const observation = fileWritten(path, before && encodeText(before.content), bytes);
  return { text: `${done}${describeLines(observation)}`, observations: [observation] };
}

function describeLines({ changed, total_lines }: WriteObservation): string {
  const shown = changed.slice(0, 20).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const more = changed.length > shown.length ? ' and more' : '';
  return ` Changed lines: ${shown.join(', ') || 'none'}${more} of ${total_lines}.`;
}
