/** The options of a program whose meaning for its output is known. */
export interface OptionGrammar {
  /** Options that are one word. */
  readonly single: RegExp;
  /** Options whose value is the next word; it must be a number. */
  readonly valued?: RegExp;
}

export interface SplitArguments {
  readonly options: readonly string[];
  readonly operands: readonly string[];
  /** How many of the operands stand before `--`; all when there is none. */
  readonly beforeDashes: number;
  readonly hasDashes: boolean;
}

/** Options and operands, in any order as GNU takes them; undefined when an option is not in the grammar. */
export function splitArguments(words: readonly string[], grammar: OptionGrammar): SplitArguments | undefined {
  const dashes = words.indexOf('--');
  const before = dashes < 0 ? words : words.slice(0, dashes);
  const options: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? '';
    if (!word.startsWith('-')) operands.push(word);
    else if (grammar.single.test(word)) options.push(word);
    else if (grammar.valued?.test(word) && /^[+-]?\d+$/.test(before[at + 1] ?? '')) {
      options.push(word);
      at += 1;
    } else return undefined;
  }
  const after = dashes < 0 ? [] : words.slice(dashes + 1);
  // A lone `-` is what came on standard input, which is no file of the repository.
  if (after.includes('-')) return undefined;
  return { options, operands: [...operands, ...after], beforeDashes: operands.length, hasDashes: dashes >= 0 };
}

/** The name of a system's program; a `./cat` of the repository prints what it likes and keeps its own name. */
export function programName(program: string): string {
  return program.replace(/^(?:\/usr)?\/bin\//, '');
}
