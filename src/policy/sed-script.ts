/** `12`, `$`, `/word/`, and two of them with a comma between. */
const ADDRESS = String.raw`(?:\d+|\$|/(?:\\.|[^\\/])*/I?)`;
/** One command that prints, deletes, numbers, quits, or substitutes without the flags `e` (run) and `w` (write). */
const PLAIN_COMMAND = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:,\s*(?:${ADDRESS}|\+\d+))?)?\s*!?\s*(?:[pdDP=]|q\d*|s([/|,#@:])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiIM\d]*)\s*$`,
  'su',
);
/** Longer scripts belong into a file. Characters. */
const LONGEST_SCRIPT = 1_000;

export function isSed(name: string): boolean {
  return name === 'sed' || name === 'gsed';
}

/** Whether sed may run other programs: its command `e` does. What stands in a script file (`-f`) is judged like any other script. */
export function runsShellLines(args: readonly string[]): boolean {
  return sedScripts(args).some((script) => !script.split(/[;\n]/).every(isPlain));
}

function isPlain(command: string): boolean {
  return command.trim() === '' || (command.length <= LONGEST_SCRIPT && PLAIN_COMMAND.test(command));
}

/** The values of `-e`, in every spelling; without `-e` and `-f` the first operand. */
export function sedScripts(args: readonly string[]): readonly string[] {
  const scripts = args.flatMap((arg, at) => {
    if (/^(?:-[nrEsuz]*e|--e[a-z-]*)$/.test(arg)) return [args[at + 1] ?? ''];
    return /^(?:-[nrEsuz]*e|--e[a-z-]*=)(.+)$/s.exec(arg)?.slice(1) ?? [];
  });
  const isInFile = args.some((arg) => /^(?:-[nrEsuz]*f|--fi)/.test(arg));
  if (scripts.length > 0 || isInFile) return scripts;
  return args.filter((arg) => !arg.startsWith('-')).slice(0, 1);
}
