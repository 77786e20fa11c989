import { styleText } from 'node:util';

export type Style = (format: 'bold' | 'dim' | 'green' | 'red', text: string) => string;

/**
 * Colour for what a person reads: only on a terminal that has it, and never with NO_COLOR (https://no-color.org), which
 * Node alone would let FORCE_COLOR overrule. A pipe or a file gets plain text, so that scripts can read it.
 */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  const isPlain = stream.isTTY !== true || Boolean(environment['NO_COLOR']) || environment['TERM'] === 'dumb';
  return isPlain ? (_format, text) => text : (format, text) => styleText(format, text, { validateStream: false });
}
