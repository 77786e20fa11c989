import { denyArgumentPath, type Place } from './argument-path.ts';
import { type Denial, deny } from './decision.ts';
import { programName } from './denied-programs.ts';

/** A program that only reads, with the options that would make it do more. */
interface Reader {
  readonly names: string;
  /** Options that write, run something or read a list of files from elsewhere; long ones also by their beginnings. */
  readonly refused?: readonly RegExp[];
  /** Options whose value is no path: it is not judged as one. */
  readonly textOptions?: RegExp;
  /** Whether the first operand is a pattern, not a path. */
  readonly patternFirst?: boolean;
  /** A whole-argv check where the options alone do not decide. */
  readonly only?: (args: readonly string[]) => boolean;
}

const READERS: readonly Reader[] = [
  {
    names: 'cat ls head tail stat pwd basename dirname realpath readlink cksum md5sum sha1sum sha256sum nl true false',
    refused: [/^--check/, /^-[a-zA-Z]*c$/],
  },
  {
    names: 'rg',
    refused: [
      /^--pre(?!tty)/,
      /^--hostname-bin/,
      /^--search-zip$/,
      /^-[a-zA-Z]*z/,
      /^--ignore-file/,
      /^-f/,
      /^--file(=|$)/,
    ],
    patternFirst: true,
  },
  { names: 'grep egrep fgrep', refused: [/^-f/, /^--file(=|$)/], patternFirst: true },
  { names: 'sed', only: isLineRange },
  { names: 'find', refused: [/^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/] },
  { names: 'wc', refused: [/^--files0-from/] },
  { names: 'du', refused: [/^--files0-from/, /^-X/, /^--exclude-from/] },
  { names: 'cut', textOptions: /^-[dfcb]/ },
  {
    names: 'sort',
    refused: [/^-[a-zA-Z]*o/, /^--o/, /^--compress/, /^--files0-from/, /^-[a-zA-Z]*T/, /^--temp/],
    textOptions: /^-[kt]/,
  },
  { names: 'uniq', only: (args) => args.filter((arg) => !arg.startsWith('-')).length <= 1 },
  { names: 'file', refused: [/^-[a-zA-Z]*[Cfmz]/, /^--(compile|files-from|magic-file|uncompress)/] },
  { names: 'tree', refused: [/^-[a-zA-Z]*[oR]/, /^--fromfile/, /^--infofile/, /^--gitfile/] },
  { names: 'diff cmp', refused: [/^--(to|from)-file/, /^-[a-zA-Z]*X/, /^--exclude-from/, /^-l$/, /^--paginate/] },
];

/** The reader's denial, `undefined` when it may run, and `'unknown'` when the program is none of the audited ones. */
export function denyAuditedRead(argv: readonly string[], place: Place): Denial | 'unknown' | undefined {
  const program = argv[0] ?? '';
  const name = programName(program);
  const reader = READERS.find(({ names }) => names.split(' ').includes(name));
  // A path would run the repository's own program of that name.
  if (reader === undefined || (program.includes('/') && !/^\/(usr\/)?bin\/[a-z0-9]+$/.test(program))) return 'unknown';
  const args = argv.slice(1);
  const refused = args.find((arg) => reader.refused?.some((pattern) => pattern.test(arg)));
  if (refused !== undefined) return refuse(name, refused);
  if (reader.only && !reader.only(args)) return refuse(name, 'in this form');
  return denyPaths(reader, args, place);
}

function denyPaths(reader: Reader, args: readonly string[], place: Place): Denial | undefined {
  let patternsLeft = reader.patternFirst ? 1 : 0;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--' || arg === '-' || arg === '') continue;
    if (reader.textOptions?.test(arg)) {
      if (arg.length === 2) at += 1;
      continue;
    }
    if (arg.startsWith('-')) {
      const value = /^--?[A-Za-z][A-Za-z0-9-]*=(.*)$/s.exec(arg)?.[1];
      const denial = value === undefined ? undefined : denyArgumentPath(value, place);
      if (denial) return denial;
      continue;
    }
    if (patternsLeft > 0) {
      patternsLeft -= 1;
      continue;
    }
    const denial = denyArgumentPath(arg, place);
    if (denial) return denial;
  }
  return undefined;
}

/** `sed -n 10,20p FILE…`: printing lines by number or the last line. Every other script can write and, in GNU sed, run. */
function isLineRange(args: readonly string[]): boolean {
  const [first, script, ...files] = args;
  return (
    first === '-n' &&
    /^(\d+|\$)(,(\d+|\$))?p$/.test(script ?? '') &&
    files.length > 0 &&
    files.every((file) => !file.startsWith('-'))
  );
}

function refuse(name: string, what: string): Denial {
  return deny(
    'not_allowed',
    `policy, audited reads: ${name} ${what}`,
    `Use ${name} only to read files of the worktree, without options that write, run or follow lists.`,
  );
}
