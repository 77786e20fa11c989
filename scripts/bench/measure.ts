/** Times and sizes, and what they are compared with. */

/** Milliseconds, MiB, bytes or parts of a hundred, of one thing that was done or seen several times. */
export interface Measurement {
  readonly what: string;
  readonly files?: number;
  /** '' counts. */
  readonly unit: 'ms' | 'MiB' | 'B' | '%' | '';
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly rounds: number;
  /** The same without Remit, in the same run. */
  readonly floor?: { readonly what: string; readonly median: number; readonly least: number };
  /** The most that the median should be, in the unit or in times the floor; or the least that any of them should be. */
  readonly target?: { readonly most: number; readonly of: 'unit' | 'floor' } | { readonly least: number };
}

/** Collects the times of the rounds under their names. */
export class Times {
  readonly #times = new Map<string, number[]>();

  add(name: string, value: number): void {
    this.#times.set(name, [...(this.#times.get(name) ?? []), value]);
  }

  async time<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.add(name, performance.now() - start);
    return result;
  }

  /** `details` may name the floor: another name of these times. */
  measurement(
    name: string,
    details: Pick<Measurement, 'files' | 'target'> & { unit?: Measurement['unit']; what?: string; floor?: string } = {},
  ): Measurement {
    const { unit = 'ms', floor, what = name, ...others } = details;
    const own = summarize(this.#times.get(name) ?? []);
    const below = floor === undefined ? undefined : summarize(this.#times.get(floor) ?? []);
    return {
      what,
      unit,
      ...own,
      ...others,
      ...(below !== undefined && { floor: { what: floor ?? '', median: below.median, least: below.least } }),
    };
  }
}

export function summarize(times: readonly number[]): Pick<Measurement, 'median' | 'least' | 'most' | 'rounds'> {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN, rounds: sorted.length };
}

/** Whether the target is met; undefined when there is none. */
export function meetsTarget({ median, least, floor, target }: Measurement): boolean | undefined {
  if (target === undefined) return undefined;
  if ('least' in target) return least >= target.least;
  return median <= (target.of === 'unit' ? target.most : target.most * (floor?.median ?? Number.NaN));
}
