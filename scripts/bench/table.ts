/** One table for a person. */
import { type Measurement, meetsTarget } from './measure.ts';

const HEAD = ['', 'files', 'median', 'fastest', 'slowest', 'floor', 'times floor', 'target', ''];

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
    `${digits(median)} ${unit}`,
    digits(least),
    digits(most),
    floor === undefined ? '' : digits(floor.median),
    floor === undefined ? '' : (median / floor.median).toFixed(2),
    describeTarget(measurement),
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ];
}

function digits(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}

function describeTarget({ target, unit }: Measurement): string {
  if (target === undefined) return '';
  return target.of === 'unit' ? `${target.most} ${unit}` : `${target.most} × floor`;
}
