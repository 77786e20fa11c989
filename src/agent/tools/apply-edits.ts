import { z } from 'zod';
import { replaceText } from '../text/replace-text.ts';
import { shownPath } from './output.ts';

export const editFields = {
  old_string: z
    .string()
    .min(1)
    .describe('Exact text to replace, with its indentation and without line numbers; must occur exactly once.'),
  new_string: z.string().describe('Text in its place; empty deletes.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence instead. Default false.'),
};

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

export type Edited =
  | { readonly kind: 'edited'; readonly text: string; readonly count: number }
  | { readonly kind: 'problem'; readonly text: string };

/** One edit after the other, each on what those before it left; the first that does not fit spoils all. `field` names an edit. */
export function applyEdits(path: string, text: string, edits: readonly Edit[], field: (at: number) => string): Edited {
  let current = text;
  let count = 0;
  for (const [at, { old_string, new_string, replace_all = false }] of edits.entries()) {
    const outcome = replaceText(current, { oldText: old_string, newText: new_string, all: replace_all });
    if (outcome.kind === 'not_found') return { kind: 'problem', text: notFound(path, field(at), outcome.similarLine) };
    if (outcome.kind === 'ambiguous') return { kind: 'problem', text: ambiguous(path, field(at), outcome) };
    current = outcome.text;
    count += outcome.count;
  }
  return { kind: 'edited', text: current, count };
}

function notFound(path: string, field: string, similarLine: number | undefined): string {
  const place =
    similarLine === undefined
      ? `Read the file again and copy the text from it, without the line numbers.`
      : `The same words stand at line ${similarLine} with other white space: copy them from there.`;
  return `${field}: not found in ${shownPath(path)}; nothing was changed. ${place}`;
}

function ambiguous(path: string, field: string, { count, lines }: { count: number; lines: readonly number[] }): string {
  const more = lines.length > 20 ? ' and more' : '';
  return `${field}: found ${count} times in ${shownPath(path)}, at lines ${lines.slice(0, 20).join(', ')}${more}; nothing was changed. Add lines around it until it is unique, or set replace_all.`;
}
