import { isAuditedRead } from '../../policy/index.ts';
import type { FileChange, Place, PlaceFiles, Refused } from './place.ts';

export type AskedEffect =
  | { readonly kind: 'edit' | 'delete' | 'move'; readonly paths: readonly string[] }
  | { readonly kind: 'execute'; readonly argv: readonly string[]; readonly cwd: string };

/** A place where every effect is asked for first. What only reads is not. */
export function askingPlace(place: Place, mayDo: (effect: AskedEffect) => Promise<boolean>): Place {
  return { ...place, files: askingFiles(place.files, mayDo), commands: askingCommands(place, mayDo) };
}

const DENIED: Refused = { kind: 'refused', reason: 'is denied by the user; do something else, or ask in words' };

function askingFiles(files: PlaceFiles, mayDo: (effect: AskedEffect) => Promise<boolean>): PlaceFiles {
  const asked = async (effect: AskedEffect, act: () => Promise<FileChange>) => ((await mayDo(effect)) ? act() : DENIED);
  return {
    show: (path, lines, sha256) => files.show(path, lines, sha256),
    peek: (path) => files.peek(path),
    list: (path) => files.list(path),
    write: (path, bytes, how) => asked({ kind: 'edit', paths: [path] }, () => files.write(path, bytes, how)),
    move: (from, to, how) => asked({ kind: 'move', paths: [from, to] }, () => files.move(from, to, how)),
    remove: (path, how) => asked({ kind: 'delete', paths: [path] }, () => files.remove(path, how)),
  };
}

function askingCommands(
  { root, commands }: Place,
  mayDo: (effect: AskedEffect) => Promise<boolean>,
): Place['commands'] {
  if (commands.kind === 'withheld') return commands;
  return {
    ...commands,
    async run(argv, cwd, limits) {
      if (isAuditedRead(argv, cwd, root) || (await mayDo({ kind: 'execute', argv, cwd })))
        return commands.run(argv, cwd, limits);
      return { ...DENIED, reason: `${DENIED.reason}.` };
    },
  };
}
