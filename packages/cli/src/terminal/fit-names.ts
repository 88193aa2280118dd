import { widthOf, withoutMarks } from './style.ts';

/** Space between columns of a table. */
const gap = 3;
/** A name stays recognizable with this width. */
const least = 10;

/**
 * Shortens names so that the columns up to `last` fit a terminal: a status says more than the end of a name. Rows are as for `tableLines`; cells with marks stay
 * as they are.
 */
export function fitNames(
  rows: readonly (readonly string[])[],
  { names, last }: { readonly names: readonly number[]; readonly last: number },
  columns: number,
): string[][] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  // A line that goes on ends with an ellipsis.
  const more = widths.length > last + 1 ? 1 : 0;
  const total = (): number => widths.slice(0, last + 1).reduce((sum, width) => sum + width, gap * last + more);
  while (total() > columns) {
    const widest = names.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a), names[0] ?? 0);
    const width = widths[widest] ?? 0;
    if (width <= least) break;
    widths[widest] = width - 1;
  }
  return rows.map((row) =>
    row.map((cell, column) => (names.includes(column) ? shortened(cell, widths[column] ?? cell.length) : cell)),
  );
}

/** The start and the end of a text: names of one Application set differ at the end. */
function shortened(text: string, width: number): string {
  const letters = [...text];
  if (letters.length <= width || withoutMarks(text) !== text) return text;
  const end = Math.floor((width - 1) / 2);
  return [...letters.slice(0, width - 1 - end), '…', ...letters.slice(letters.length - end)].join('');
}
