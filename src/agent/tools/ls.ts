import { z } from 'zod';
import { defineTool, failure } from './define-tool.ts';
import { listing, shownPath } from './output.ts';
import { locate } from './target.ts';

const MOST_ENTRIES = 1000;
const MARKS = { folder: '/', file: '', link: '@', other: '?' } as const;

export const ls = defineTool({
  name: 'ls',
  readOnly: true,
  description: 'List one folder: name/ is a folder, name@ a link (never followed).',
  input: z.strictObject({
    path: z.string().optional().describe("The folder, relative to the repository's root. Default: the root."),
    offset: z.int().min(0).optional().describe('How many entries to pass over. Default 0.'),
  }),
  async run({ path: written = '', offset = 0 }, { place }) {
    const located = locate(place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    const folder = await place.files.list(located.path);
    if (folder.kind === 'absent') return failure(`${shownPath(located.path)} does not exist. Find it with glob.`);
    if (folder.kind === 'refused') return failure(`${shownPath(located.path)} ${folder.reason}.`);
    const names = folder.entries.map(({ name, kind }) => `${shownPath(name)}${MARKS[kind]}`);
    const text = names.length === 0 ? '[the folder is empty]' : listing(names, offset, MOST_ENTRIES);
    return { text, observations: [] };
  },
});
