import type { ReadArguments } from './read-options.ts';

/** `5p`, `1,20p`, `10,$p`, several with `;`: nothing in it can write, execute or read another file. */
const LINE_RANGES = /^\s*(\d+|\$)(,\s*(\d+|\$|\+\d+))?\s*p(\s*;\s*(\d+|\$)(,\s*(\d+|\$|\+\d+))?\s*p)*\s*;?\s*$/;

/** Longest list of ranges that is read. Characters. */
const LONGEST_RANGES = 1_000;

function isRanges(script: string | undefined): boolean {
  return script !== undefined && script.length <= LONGEST_RANGES && LINE_RANGES.test(script);
}

/** `sed -n RANGES file…` and nothing else of sed, which can write files and run commands. */
export function readSed(args: readonly string[]): ReadArguments {
  if (!/^(-n|--quiet|--silent)$/.test(args[0] ?? '')) return refused(args[0] ?? 'sed without -n');
  let at = 1;
  let scripts = 0;
  for (; args[at] === '-e'; at += 2, scripts += 1) {
    if (!isRanges(args[at + 1])) return refused(args[at + 1] ?? '-e');
  }
  if (scripts === 0) {
    if (!isRanges(args[at])) return refused(args[at] ?? 'sed without a range');
    at += 1;
  }
  if (args[at] === '--') at += 1;
  const paths = args.slice(at);
  const option = paths.find((path) => path.startsWith('-'));
  return option === undefined ? { kind: 'read', paths } : refused(option);
}

const FIND_TESTS: ReadonlySet<string> = new Set(
  `-empty -print -print0 -ls -prune -quit -depth -xdev -mount -executable -readable -writable -true -false -not -a -and -o -or
   ! ( ) , -daystart -noleaf -nogroup -nouser`.split(/\s+/),
);
const FIND_VALUES: ReadonlySet<string> = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime
   -mmin -atime -amin -ctime -cmin -newermt -perm -user -group -uid -gid -links -inum -lname -ilname -printf -fstype`.split(
    /\s+/,
  ),
);
const FIND_PATHS: ReadonlySet<string> = new Set(['-newer', '-anewer', '-cnewer', '-samefile']);

/** `find` with tests and printing. What runs, deletes or writes (-exec, -ok, -delete, -fprint, -fls) and -L, -H are not listed. */
export function readFind(args: readonly string[]): ReadArguments {
  const paths: string[] = [];
  let at = args[0] === '-P' ? 1 : 0;
  for (; at < args.length && !/^[-(!,]/.test(args[at] ?? ''); at += 1) paths.push(args[at] ?? '');
  for (; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (FIND_TESTS.has(word)) continue;
    const value = args[at + 1];
    if (value === undefined || !(FIND_VALUES.has(word) || FIND_PATHS.has(word))) return refused(word);
    if (FIND_PATHS.has(word)) paths.push(value);
    at += 1;
  }
  return { kind: 'read', paths };
}

function refused(argument: string): ReadArguments {
  return { kind: 'refused', argument };
}
