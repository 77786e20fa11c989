/** Of one text; enough for a reviewer to know, the rest stands in the diff. */
const MAX_WORDS = 8;
const MAX_WORD_LENGTH = 60;

/** Letters that are drawn like Latin ones: all of Cyrillic, and of Greek those that no formula needs. */
const LOOKS_LATIN =
  /[\p{Script=Cyrillic}\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf]/u;
const LATIN = /\p{Script=Latin}/u;

/** Words in which Latin letters stand beside letters that only look so, each once, with those letters as escapes. */
export function mixedWords(text: string): string[] {
  // Nearly every text is plain, and this answers for it at once.
  if (!LOOKS_LATIN.test(text)) return [];
  const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const mixed = words.filter((word) => LOOKS_LATIN.test(word) && LATIN.test(word));
  return [...new Set(mixed.map(escaped))].slice(0, MAX_WORDS);
}

function escaped(word: string): string {
  const letters = [...word.slice(0, MAX_WORD_LENGTH)];
  return letters.map((letter) => (LOOKS_LATIN.test(letter) ? codePoint(letter) : letter)).join('');
}

function codePoint(letter: string): string {
  return `\\u{${letter.codePointAt(0)?.toString(16).toUpperCase()}}`;
}
