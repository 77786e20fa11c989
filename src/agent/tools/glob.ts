import { z } from 'zod';
import { defineTool, failure } from './define-tool.ts';
import { globMatch } from './glob-match.ts';
import { listing, shownPath } from './output.ts';
import { locate } from './target.ts';
import { walk } from './walk.ts';

const MOST_FILES = 500;

export const glob = defineTool({
  name: 'glob',
  readOnly: true,
  description:
    'Find files by path. Special are only *, **, ?, {a,b}; a folder means all files below it. .git and node_modules are passed over unless path names them; ignore files are not read.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('Pattern of the whole path below `path`, such as src/**/*.ts.'),
    path: z.string().optional().describe("Folder to search, relative to the repository's root. Default: the root."),
    offset: z.int().min(0).optional().describe('How many files to pass over. Default 0.'),
  }),
  async run({ pattern, path: written = '', offset = 0 }, { place, signal }) {
    const located = locate(place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    const matcher = globMatch(pattern);
    if (matcher.kind === 'problem') return failure(`pattern: ${matcher.reason}`);
    const { files, cut } = await walk(place, located.path, signal);
    const below = located.path === '' ? 0 : located.path.length + 1;
    const found = files.filter((path) => matcher.matches(path.slice(below))).map(shownPath);
    const text = listing(found, offset, MOST_FILES, cut);
    return { text: text === '' ? '[no file matches]' : text, observations: [] };
  },
});
