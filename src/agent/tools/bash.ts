import { z } from 'zod';
import { fileDeleted, fileRewritten, type WriteObservation } from '../../evidence/index.ts';
import { parseSimpleCommand } from '../../policy/index.ts';
import type { CommandEnd, Place, TouchedFile } from '../place/place.ts';
import { defineTool, failure, type ToolResult } from './define-tool.ts';
import { shownPath } from './output.ts';
import { locate } from './target.ts';

const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 600;
/** Of each of stdout and stderr, from beginning and end. */
const OUTPUT_BYTES = 16 * 1024;

export const bash = defineTool({
  name: 'bash',
  readOnly: false,
  description: `Run one simple command: a program and its arguments, no pipe, redirection, variable or glob, no &&. Not for reading or changing files where a tool does it. Give command or argv. Of each stream at most ${OUTPUT_BYTES} bytes are shown, from both ends.`,
  input: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(32_768)
      .optional()
      .describe('The command as one would type it; quotes are understood.'),
    argv: z
      .array(z.string().describe('One word.'))
      .min(1)
      .max(1000)
      .optional()
      .describe('Program and arguments, instead of command.'),
    cwd: z.string().optional().describe("Folder to run in, relative to the repository's root. Default: the root."),
    timeout_seconds: z.int().min(1).max(MOST_SECONDS).optional().describe(`Default ${DEFAULT_SECONDS}.`),
  }),
  async run({ command, argv: words, cwd: written = '', timeout_seconds = DEFAULT_SECONDS }, { place, signal }) {
    const { commands } = place;
    if (commands.kind === 'withheld') return failure(`bash is not offered here: ${commands.reason}.`);
    if ((command === undefined) === (words === undefined)) return failure('command, argv: give exactly one of them.');
    const argv = words ?? parseSimpleCommand(command ?? '');
    if (argv === undefined) return failure(NOT_SIMPLE);
    const cwd = locate(place, 'cwd', written);
    if (cwd.kind === 'problem') return failure(cwd.text);
    const limits = { timeoutMs: timeout_seconds * 1000, maxOutputBytes: OUTPUT_BYTES, signal };
    const end = await commands.run(argv, cwd.path, limits);
    const touched = end.kind === 'ended' ? (end.touched ?? []) : [];
    return resultOf(argv, cwd.path, end, await observeTouched(place, touched));
  },
});

const NOT_SIMPLE =
  'command: is not one simple command. Give a program with plain or quoted arguments, without |, >, ;, &, $, ` and unquoted * or ~; run several commands in several calls, and words with such characters through argv.';

/** The files come before the command: it ended after it had written them, and its exit code tells of them as they are. */
function resultOf(
  argv: readonly string[],
  cwd: string,
  end: CommandEnd,
  files: readonly WriteObservation[],
): ToolResult {
  if (end.kind === 'refused') return failure(`The command ${end.reason}`);
  const { exitCode, how, stdout, stderr } = end;
  const parts = [
    exitCode === null ? `[${how ?? 'did not exit by itself'}]` : `[exit code ${exitCode}]`,
    stdout.text.trimEnd(),
    ...(stderr.text.trim() === '' ? [] : ['[stderr]', stderr.text.trimEnd()]),
    ...(files.length === 0 ? [] : [`[changed ${describeFiles(files)}]`]),
    ...(stdout.truncated || stderr.truncated ? ['[output was cut; narrow the command to see the rest]'] : []),
  ];
  return {
    text: parts
      .filter((part) => part !== '')
      .join('\n')
      .toWellFormed(),
    observations: [
      ...files,
      {
        kind: 'command',
        argv: [...argv],
        cwd,
        exit_code: exitCode,
        stdout: stdout.text,
        stdout_bytes: stdout.totalBytes,
        truncated: stdout.truncated,
      },
    ],
    ...(exitCode === 0 ? {} : { isError: true as const }),
  };
}

/** Which lines are new is not known, only that the file is another: its reader must have seen all of it. */
async function observeTouched(place: Place, touched: readonly TouchedFile[]): Promise<WriteObservation[]> {
  const observations: WriteObservation[] = [];
  for (const { path, change } of touched) {
    if (change === 'deleted') {
      observations.push(fileDeleted(path, undefined));
      continue;
    }
    const file = await place.files.peek(path);
    observations.push(fileRewritten(path, change, file.kind === 'file' ? file.bytes : undefined));
  }
  return observations;
}

function describeFiles(files: readonly WriteObservation[]): string {
  const names = files.slice(0, 20).map(({ path }) => shownPath(path));
  return files.length > names.length ? `${names.join(', ')} and ${files.length - names.length} more` : names.join(', ');
}
