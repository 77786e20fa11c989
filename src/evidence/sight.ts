import { allLines, type LineRange } from './line-ranges.ts';

/** What one observation showed of one path. */
export type Sight =
  | { readonly path: string; readonly kind: 'lines'; readonly ranges: readonly LineRange[] }
  /** So many lines at the end of the file. */
  | { readonly path: string; readonly kind: 'last'; readonly count: number }
  | { readonly path: string; readonly kind: 'whole' }
  /** Everything in which the path differs from what is committed. */
  | { readonly path: string; readonly kind: 'difference' }
  /** What is committed, or that it is gone: of a deletion that is all there is to see, of other work nothing. */
  | { readonly path: string; readonly kind: 'committed' };

/** The lines of a file of so many that were shown as such. */
export function linesShown(sight: Sight, total: number): readonly LineRange[] {
  if (sight.kind === 'lines') return sight.ranges;
  if (sight.kind === 'whole') return allLines(total);
  if (sight.kind === 'last') return [{ from: Math.max(1, total - sight.count + 1), to: total }];
  return [];
}
