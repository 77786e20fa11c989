/**
 * What a reading program may be told. Only listed options are taken, spelled in full: what is not listed may write,
 * execute or follow links, in this version of the program or the next. Lists are separated by blanks.
 */
export interface ReadOptions {
  /** Letters without a value; may be combined. */
  readonly short?: string;
  /** Letters with a value, attached or as the next argument. */
  readonly shortValue?: string;
  /** Letters whose value, if any, is attached. */
  readonly shortAttached?: string;
  /** Letters whose value is a path. */
  readonly shortPath?: string;
  readonly long?: string;
  /** `--name=value` or `--name value`. */
  readonly longValue?: string;
  /** `--name` or `--name=value`, never a separate value. */
  readonly longAttached?: string;
  readonly longPath?: string;
  /** `-20`. */
  readonly numeric?: boolean;
  readonly operands: 'paths' | 'pattern_then_paths' | 'git' | 'git_pattern' | 'none';
  readonly mostOperands?: number;
  /** Options after which the first operand is no pattern any more. */
  readonly patternOptions?: string;
}

export type ReadArguments =
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly argument: string };

interface Reading {
  readonly operands: string[];
  readonly paths: string[];
  patternGiven: boolean;
}

/** Sorts arguments into paths and the rest, or names the first argument that is not on the list. */
export function readArguments(options: ReadOptions, args: readonly string[]): ReadArguments {
  const reading: Reading = { operands: [], paths: [], patternGiven: false };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      reading.operands.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      reading.operands.push(arg);
      continue;
    }
    const used = arg.startsWith('--')
      ? readLong(options, arg, args[at + 1], reading)
      : readShort(options, arg, args[at + 1], reading);
    if (used === undefined) return { kind: 'refused', argument: arg };
    at += used;
  }
  return finish(options, reading);
}

/** How many further arguments the option used, or `undefined` when it is not allowed. */
function readLong(options: ReadOptions, arg: string, next: string | undefined, reading: Reading): 0 | 1 | undefined {
  const [name = '', value] = arg.slice(2).split(/=(.*)/s);
  if (has(options.patternOptions, `--${name}`)) reading.patternGiven = true;
  if (value === undefined && (has(options.long, name) || has(options.longAttached, name))) return 0;
  if (value !== undefined && has(options.longAttached, name)) return 0;
  const isPath = has(options.longPath, name);
  return isPath || has(options.longValue, name) ? takeValue(value, next, isPath, reading) : undefined;
}

function readShort(options: ReadOptions, arg: string, next: string | undefined, reading: Reading): 0 | 1 | undefined {
  if (options.numeric === true && /^-\d+$/.test(arg)) return 0;
  for (let at = 1; at < arg.length; at += 1) {
    const letter = arg[at] ?? '';
    if (has(options.patternOptions, `-${letter}`)) reading.patternGiven = true;
    if (options.short?.includes(letter)) continue;
    if (options.shortAttached?.includes(letter)) return 0;
    const isPath = options.shortPath?.includes(letter) === true;
    if (!isPath && !options.shortValue?.includes(letter)) return undefined;
    const rest = arg.slice(at + 1);
    return takeValue(rest === '' ? undefined : rest, next, isPath, reading);
  }
  return 0;
}

/** A separate value that looks like an option is refused: a program that reads it as one would do what we did not see. */
function takeValue(
  attached: string | undefined,
  next: string | undefined,
  isPath: boolean,
  reading: Reading,
): 0 | 1 | undefined {
  if (attached === undefined && (next === undefined || next.startsWith('-'))) return undefined;
  if (isPath) reading.paths.push(attached ?? next ?? '');
  return attached === undefined ? 1 : 0;
}

function finish(options: ReadOptions, { operands, paths, patternGiven }: Reading): ReadArguments {
  const most = options.operands === 'none' ? 0 : options.mostOperands;
  if (most !== undefined && operands.length > most) return { kind: 'refused', argument: operands[most] ?? '' };
  const startsWithPattern =
    (options.operands === 'pattern_then_paths' || options.operands === 'git_pattern') && !patternGiven;
  const places = startsWithPattern ? operands.slice(1) : operands;
  if (!options.operands.startsWith('git')) return { kind: 'read', paths: [...paths, ...places] };
  const refused = places.find(
    (place) => place.startsWith(':') && !/^:([!^]|\(exclude(,(glob|icase|literal))*\))/.test(place),
  );
  if (refused !== undefined) return { kind: 'refused', argument: refused };
  // `HEAD:path` names a path too.
  const named = places.map((place) => place.replace(/^:([!^]|\([a-z,]*\))/, ''));
  return { kind: 'read', paths: [...paths, ...named.flatMap((place) => [place, ...place.split(':')])] };
}

function has(list: string | undefined, name: string): boolean {
  return list?.split(/\s+/).includes(name) === true;
}
