/** Longer texts are no simple command of anybody's. Characters. */
const LONGEST_COMMAND = 32_768;

/** What may stand outside quotes. Everything else can mean something to some shell: globs, expansions, operators, lookalike quotes. */
const PLAIN = /[A-Za-z0-9_./,@%+:=~-]/;

/** Words that a shell takes as grammar where a program's name would stand. */
const RESERVED: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'case',
  'esac',
  'while',
  'until',
  'for',
  'in',
  'select',
  'function',
  'time',
  'coproc',
  'repeat',
  'foreach',
  'end',
  'nocorrect',
  'noglob',
  'begin',
  'switch',
]);

/**
 * The argv of a shell text that provably is one simple command in every common shell: plain words, single quotes, and
 * double quotes in which nothing is expanded. Anything else, also what may be harmless, is `undefined`: the agent's
 * own shell will read the text, so a reading that could differ from ours must not be approved.
 */
export function parseSimpleCommand(text: string): string[] | undefined {
  if (text.length > LONGEST_COMMAND || !text.isWellFormed() || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text))
    return undefined;
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (isBlank(text[at])) {
      at += 1;
      continue;
    }
    const word = readWord(text, at);
    if (word === undefined || (!word.quoted && isSpecialWord(word.value, words.length === 0))) return undefined;
    words.push(word.value);
    at = word.end;
  }
  const program = words[0];
  return program === undefined || program === '' || RESERVED.has(program) ? undefined : words;
}

interface Word {
  readonly value: string;
  readonly quoted: boolean;
  readonly end: number;
}

function readWord(text: string, start: number): Word | undefined {
  let value = '';
  let quoted = false;
  let at = start;
  while (at < text.length && !isBlank(text[at])) {
    const character = text[at] ?? '';
    if (character === "'" || character === '"') {
      const close = text.indexOf(character, at + 1);
      if (close < 0) return undefined;
      const inner = text.slice(at + 1, close);
      if (character === '"' && /[$`\\!]/.test(inner)) return undefined;
      // `~` and `=` expand by where they stand in a word: a word that mixes them with quotes is not read.
      if (!quoted && /^[~=]|~|^[A-Za-z_]\w*=/.test(value)) return undefined;
      value += inner;
      quoted = true;
      at = close + 1;
    } else {
      if (!PLAIN.test(character) || (quoted && character === '~')) return undefined;
      value += character;
      at += 1;
    }
  }
  return { value, quoted, end: at };
}

/** `~` and zsh's `=name` expand, and `NAME=value` before the program is an assignment. `HEAD~1` is plain. */
function isSpecialWord(word: string, isFirst: boolean): boolean {
  return /^[~=]|[:=]~/.test(word) || (isFirst && word.includes('='));
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
