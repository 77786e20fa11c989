import { visibleText } from '../base/index.ts';

/**
 * A contract's own words inside a prompt. Every line of them begins with `> `, so that no sentence of a contract can pass for
 * one of Remit's rules; what a reader would not see (bidirectional overrides, invisible letters) comes out as an escape.
 */
export function quotedLines(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map((line) => `> ${visibleText(line)}`.trimEnd())
    .join('\n');
}

/** A path, an argument list or a file's content, exactly: one line of JSON, invisible letters as `\uXXXX`. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\x7f-\x9f\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, (letter) =>
    Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}
