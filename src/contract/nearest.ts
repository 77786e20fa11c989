/** Longer words are no slips of the pen, and comparing them would only cost time. */
const MAX_LETTERS = 64;

/** The known word that was probably meant: it differs in letter case, or by one slip for each three letters, at most two. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > MAX_LETTERS) return undefined;
  const written = word.toLowerCase();
  let best: { readonly name: string; readonly slips: number } | undefined;
  for (const name of known) {
    const most = Math.min(2, Math.floor(Math.min(word.length, name.length) / 3));
    if (name.length > MAX_LETTERS || Math.abs(name.length - word.length) > most) continue;
    const slips = slipsBetween(written, name.toLowerCase());
    if (slips <= most && (best === undefined || slips < best.slips)) best = { name, slips };
  }
  return best?.name;
}

/** Letters added, left out, changed, or swapped with their neighbour (Damerau's distance, restricted form). */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = cost(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? cost(beforeLast, j - 2) + 1 : Infinity;
      row.push(Math.min(changed, swapped, cost(last, j) + 1, cost(row, j - 1) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return cost(last, b.length);
}

function cost(row: readonly number[], at: number): number {
  return row[at] ?? Infinity;
}
