import { z } from 'zod';
import { decodeText, splitLines, withoutBreak } from '../../base/index.ts';
import type { Place } from '../place/place.ts';
import { defineTool, failure } from './define-tool.ts';
import { type GlobMatch, globMatch } from './glob-match.ts';
import { type LineSearch, openLineSearch } from './line-search.ts';
import { listing, shortLine, shownPath } from './output.ts';
import { locate } from './target.ts';
import { walk } from './walk.ts';

const MOST_SHOWN = 300;
/** Lines found after which the search ends. */
const MOST_FOUND = 5000;
/** Bytes of all files that are looked through. */
const MOST_BYTES = 256 * 1024 * 1024;

export const grep = defineTool({
  name: 'grep',
  readOnly: true,
  description:
    'Search the lines of text files with a JavaScript regular expression; answers path:line:text. Passes over what glob passes over, and binary files. Is no evidence of a read.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('Regular expression, matched within one line.'),
    path: z
      .string()
      .optional()
      .describe("File or folder to search, relative to the repository's root. Default: the root."),
    glob: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('Only files whose path below `path` matches this pattern of glob.'),
    ignore_case: z.boolean().optional().describe('Whether letter case is ignored. Default false.'),
    literal: z.boolean().optional().describe('Whether the pattern is plain text. Default false.'),
    offset: z.int().min(0).optional().describe('How many lines found to pass over. Default 0.'),
  }),
  async run(
    { pattern, path: written = '', glob = '**', ignore_case = false, literal = false, offset = 0 },
    { place, signal },
  ) {
    const located = locate(place, 'path', written);
    if (located.kind === 'problem') return failure(located.text);
    const matcher = globMatch(glob);
    if (matcher.kind === 'problem') return failure(`glob: ${matcher.reason}`);
    const search = openLineSearch(pattern, { ignoreCase: ignore_case, literal });
    if (search.kind === 'problem') return failure(`pattern: ${search.reason}.`);
    const { found, cut } = await searchFiles(place, located.path, matcher, search, signal);
    const text = listing(found, offset, MOST_SHOWN, cut);
    return { text: text === '' ? '[no line matches]' : text, observations: [] };
  },
});

async function searchFiles(
  place: Place,
  start: string,
  matcher: Extract<GlobMatch, { kind: 'matcher' }>,
  search: LineSearch,
  signal: AbortSignal | undefined,
): Promise<{ found: string[]; cut?: string }> {
  const single = start !== '' && (await place.files.peek(start)).kind === 'file';
  const { files, cut } = single ? { files: [start] } : await walk(place, start, signal);
  const below = start === '' ? 0 : start.length + 1;
  const found: string[] = [];
  let bytes = 0;
  for (const path of files) {
    if (!single && !matcher.matches(path.slice(below))) continue;
    if (signal?.aborted) return { found, cut: 'cancelled' };
    const lines = await linesOf(place, path);
    bytes += lines.bytes;
    if (bytes > MOST_BYTES) return { found, cut: 'stopped after 256 MiB; search in a folder with path' };
    const hits = search.linesThatMatch(lines.texts);
    if (hits === undefined)
      return { found, cut: `stopped at ${shownPath(path)}: the pattern takes too long; simplify it` };
    for (const at of hits) found.push(`${shownPath(path)}:${at + 1}:${shortLine(lines.texts[at] ?? '')}`);
    if (found.length > MOST_FOUND)
      return { found: found.slice(0, MOST_FOUND), cut: 'stopped after 5000 lines; narrow the search' };
  }
  return cut === undefined ? { found } : { found, cut };
}

/** What cannot be read as text has no lines. */
async function linesOf(place: Place, path: string): Promise<{ texts: readonly string[]; bytes: number }> {
  const reading = await place.files.peek(path);
  if (reading.kind !== 'file') return { texts: [], bytes: 0 };
  const decoded = decodeText(reading.bytes);
  const texts = decoded.kind === 'text' ? splitLines(decoded.content.text).map(withoutBreak) : [];
  return { texts, bytes: reading.bytes.length };
}
