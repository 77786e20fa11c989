import { styleText } from 'node:util';

export type Style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan', text: string) => string;

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

/** How many columns a line may have; what is no terminal has no limit, so that scripts read everything. */
export function widthFor(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return stream.isTTY === true ? Math.max(20, stream.columns ?? 80) : Number.POSITIVE_INFINITY;
}
