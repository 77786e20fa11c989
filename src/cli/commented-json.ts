/**
 * JSON with `//` and block comments, as `remit contract new` prints it and a person edits it; nothing else is added to JSON.
 * No parser of our own: comments are blanked and JSON.parse reads the rest, so a syntax error keeps its line and column.
 */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Throws SyntaxError as JSON.parse does. */
export function parseCommentedJson(text: string): unknown {
  return JSON.parse(text.replace(STRING_OR_COMMENT, blankComment));
}

function blankComment(part: string): string {
  return part.startsWith('"') ? part : part.replace(/[^\n]/g, ' ');
}
