import { widthOf } from './terminal/style.ts';

/** Formats rows as columns; the first row is the header. */
export function table(rows: readonly (readonly string[])[]): string {
  return tableLines(rows)
    .map((line) => `${line}\n`)
    .join('');
}

export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
  return rows.map((row) => row.map(padded).join('   ').trimEnd());
}
