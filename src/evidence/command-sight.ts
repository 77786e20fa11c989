import { programName } from './arguments.ts';
import { comparedFiles } from './compared-files.ts';
import { gitSight } from './git-sight.ts';
import type { CommandObservation } from './observation.ts';
import { printedLines } from './printed-lines.ts';
import type { Sight } from './sight.ts';

type Reader = (command: CommandObservation, worktree: string | undefined) => Sight[];

/** Of another program, also one that prints files, nothing is known of what its output shows. */
const READERS: Readonly<Record<string, Reader>> = {
  cat: printedLines,
  head: printedLines,
  tail: printedLines,
  diff: comparedFiles,
  cmp: comparedFiles,
  git: gitSight,
};

/**
 * What a command showed of which paths, by its argv and its output. Whatever is not understood for certain shows nothing:
 * a false "no" costs one more read, a false "yes" lets unread work through. `worktree` is the absolute path that absolute
 * arguments are compared with.
 */
export function commandSight(command: CommandObservation, worktree?: string): Sight[] {
  const reader = READERS[programName(command.argv[0] ?? '')];
  if (reader === undefined) return [];
  // Of an output that was cut, nobody can say which lines of which file are left; a deletion that Git tells is told in full.
  if (command.truncated && reader !== gitSight) return [];
  if (command.stdout === '' || command.stdout_bytes === 0) return [];
  // A recorder without a shell's grammar would hand `cat p | wc -l` on as words: what was printed is then not the file.
  if (command.argv.some((word) => /^(?:\d*[<>]|[|&;])/.test(word))) return [];
  return reader(command, worktree);
}
