/** One table for a person. */
import { type Measurement, meetsTarget } from './measure.ts';

const HEAD = ['', 'files', 'median', 'least', 'most', 'floor', 'times floor', 'target', ''];

export function printTable(measurements: readonly Measurement[]): void {
  const rows = [HEAD, ...measurements.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  for (const row of rows) {
    const padded = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 || column === HEAD.length - 1 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(padded.join('  ').trimEnd());
  }
}

function cells(measurement: Measurement): string[] {
  const { what, files, unit, median, least, most, floor } = measurement;
  const met = meetsTarget(measurement);
  return [
    what,
    files === undefined ? '' : files.toLocaleString('en'),
    `${digits(median, unit)} ${unit}`.trimEnd(),
    digits(least, unit),
    digits(most, unit),
    floor === undefined ? '' : digits(floor.median),
    floor === undefined ? '' : (median / floor.median).toFixed(2),
    describeTarget(measurement),
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ];
}

/** Of what is close to a hundred each hundredth counts. */
function digits(value: number, unit?: Measurement['unit']): string {
  if (unit === '%') return value.toFixed(2);
  if (unit === '' || unit === 'B') return value.toFixed(0);
  return value.toFixed(value < 100 ? 1 : 0);
}

function describeTarget({ target, unit }: Measurement): string {
  if (target === undefined) return '';
  if ('least' in target) return `all ≥ ${target.least} ${unit}`;
  return target.of === 'unit' ? `${target.most} ${unit}`.trimEnd() : `${target.most} × floor`;
}
