import { type Denial, hardDenial } from './decision.ts';
import { programName, unversionedName } from './denied-programs.ts';
import { INTERPRETERS, type Interpreter, PROGRAM_TEXT_INTERPRETERS } from './interpreters.ts';
import { isSed, runsShellLines } from './sed-script.ts';

const HINT = 'Put the code into a script file in the worktree and run that file.';

/** What an interpreter's arguments come to: refused, or a module (`python -m name …`) whose name is to be judged in turn. */
export type InlineVerdict = { denial: Denial } | { module: readonly string[] } | undefined;

/** Looks at the options before the script: what stands after it belongs to the script. */
export function judgeInterpreter(argv: readonly string[]): InlineVerdict {
  const name = programName(argv[0] ?? '');
  if (PROGRAM_TEXT_INTERPRETERS.has(name)) return judgeAwk(name, argv);
  if (isSed(name)) return runsShellLines(argv.slice(1)) ? inline(name, 'a script that may run commands') : undefined;
  const interpreter = interpreterOf(name);
  return interpreter === undefined ? undefined : scanOptions(name, interpreter, argv.slice(1));
}

function interpreterOf(name: string): Interpreter | undefined {
  const unversioned = unversionedName(name);
  return INTERPRETERS.find(({ names }) => words(names).some((known) => known === name || known === unversioned));
}

function scanOptions(name: string, interpreter: Interpreter, args: readonly string[]): InlineVerdict {
  const inlineWords = words(interpreter.inlineWords);
  let standalone = interpreter.standalone === '*';
  // An unknown option may take the next argument as its value: then "the script" is not certain, and scanning goes on.
  let uncertain = interpreter.subcommands === true;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '-' || inlineWords.includes(arg))
      return inline(name, arg === '-' ? 'a program from standard input' : arg);
    if (isRemoteCode(arg)) return inline(name, 'code from a URL');
    if (words(interpreter.standalone).includes(arg.split('=')[0] ?? '')) standalone = true;
    if (arg === '--') return at + 1 < args.length && args[at + 1] !== '-' ? undefined : inline(name, 'no script');
    if (!arg.startsWith('-')) {
      standalone = true;
      if (!uncertain) return undefined;
      continue;
    }
    const option = arg.startsWith('--') ? readLong(interpreter, arg) : readShort(interpreter, arg);
    if (option.kind === 'inline') return inline(name, option.shown);
    if (option.kind === 'module') return judgeModule(name, option.attached, args.slice(at + 1));
    if (option.kind === 'unknown') uncertain = true;
    if (option.kind === 'takes_next') {
      const value = args[at + 1] ?? '';
      if (isRemoteCode(value) || (isMake(interpreter) && value === '-'))
        return inline(name, 'code from a URL or standard input');
      at += 1;
    }
  }
  return standalone ? undefined : inline(name, 'no script, so it reads a program from standard input');
}

type OptionReading =
  | { kind: 'flag' | 'takes_next' | 'unknown' }
  | { kind: 'inline'; shown: string }
  | { kind: 'module'; attached: string };

function readLong(interpreter: Interpreter, arg: string): OptionReading {
  const [raw = '', value] = arg.slice(2).split(/=(.*)/s);
  const name = raw.replaceAll('_', '-'); // node reads --in_put as --in-put
  if (words(interpreter.inlineLong).includes(name)) return { kind: 'inline', shown: `--${name}` };
  if (value !== undefined) {
    const stdinMakefile = isMake(interpreter) && value === '-';
    return isRemoteCode(value) || stdinMakefile ? { kind: 'inline', shown: arg } : { kind: 'flag' };
  }
  if (words(interpreter.valueLong).includes(name)) return { kind: 'takes_next' };
  return words(interpreter.flagLong).includes(name) ? { kind: 'flag' } : { kind: 'unknown' };
}

function readShort(interpreter: Interpreter, arg: string): OptionReading {
  for (let at = 1; at < arg.length; at += 1) {
    const letter = arg[at] ?? '';
    const rest = arg.slice(at + 1);
    if (interpreter.inlineShort?.includes(letter)) return { kind: 'inline', shown: `-${letter}` };
    if (letter === interpreter.moduleShort) return { kind: 'module', attached: rest };
    if (interpreter.valueShort?.includes(letter)) {
      if (rest === '') return { kind: 'takes_next' };
      return isRemoteCode(rest) || (isMake(interpreter) && rest === '-')
        ? { kind: 'inline', shown: arg }
        : { kind: 'flag' };
    }
    if (interpreter.attachedShort?.includes(letter)) {
      // perl -M'Module; code' runs the code.
      const perlCode = interpreter.names === 'perl' && 'mM'.includes(letter) && !/^-?[\w:]+(=[\w:,]*)?$/.test(rest);
      return perlCode ? { kind: 'inline', shown: `-${letter} with code` } : { kind: 'flag' };
    }
  }
  return { kind: 'flag' };
}

/** Modules whose arguments are code, or which start an interpreter or a debugger. */
const CODE_MODULES: ReadonlySet<string> = new Set([
  'timeit',
  'code',
  'pdb',
  'asyncio',
  'idlelib',
  'runpy',
  'IPython',
  'pty',
]);

function judgeModule(name: string, attached: string, args: readonly string[]): InlineVerdict {
  const [module, ...rest] = attached === '' ? args : [attached, ...args];
  if (module === undefined) return inline(name, '-m without a module');
  const top = module.split('.')[0] ?? '';
  if (CODE_MODULES.has(top)) return inline(name, `-m ${top}`);
  return { module: [module.endsWith('.__main__') || top === 'pip' ? top : module, ...rest] };
}

function judgeAwk(name: string, argv: readonly string[]): InlineVerdict {
  const [first = '', second = ''] = argv.slice(1);
  const fromFile = (first === '-f' && second !== '-' && second !== '') || (/^-f./.test(first) && first !== '-f-');
  const later = argv.slice(fromFile ? 2 : 1).some((arg) => /^-(e|-source|i|-include|l|-load)/.test(arg));
  return (fromFile && !later) || first === '--version' ? undefined : inline(name, 'a program as an argument');
}

function isRemoteCode(value: string): boolean {
  return /^(data:|https?:|blob:|npm:|jsr:)/i.test(value);
}

function isMake(interpreter: Interpreter): boolean {
  return interpreter.names.startsWith('make');
}

function inline(name: string, shown: string): { denial: Denial } {
  return { denial: hardDenial('inline_code', `inline interpreters (${name}: ${shown})`, HINT) };
}

function words(list: string | undefined): readonly string[] {
  return list === undefined || list === '' ? [] : list.split(/\s+/);
}
