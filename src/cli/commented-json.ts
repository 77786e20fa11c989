import { describeJsonFault } from './json-fault.ts';

/**
 * JSON with `//` and block comments, as `remit contract new` prints it and a person edits it; nothing else is added to JSON.
 * Comments are blanked and JSON.parse reads the rest, so every place in the text stays what it was. What is not closed reaches
 * to the end: were it no match, the search would begin anew at each of its characters.
 */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Throws SyntaxError with line, column and what is wrong there. */
export function parseCommentedJson(text: string): unknown {
  const plain = text.replace(STRING_OR_COMMENT, blankComment);
  try {
    return JSON.parse(plain);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SyntaxError(describeJsonFault(plain) ?? cause.message, { cause });
  }
}

function blankComment(part: string): string {
  const isOpen = part.startsWith('/*') && !(part.length > 3 && part.endsWith('*/'));
  return part.startsWith('"') || isOpen ? part : part.replace(/[^\n]/g, ' ');
}
