import { writeYaml } from '@fairlead/render/go-yaml';
import { table } from '../table.ts';

/** Items by name in the form that `--output` names; `rows` is the table. */
export function printItems(
  items: Readonly<Record<string, unknown>>,
  form: string | undefined,
  rows: () => readonly (readonly string[])[],
): string {
  if (form === 'json') return `${JSON.stringify(items, null, 2)}\n`;
  if (form === 'yaml') return writeYaml(items);
  if (form === 'name')
    return Object.keys(items)
      .map((name) => `${name}\n`)
      .join('');
  return table(rows());
}

/** The entries of a map by name: all, or the one that is asked for. */
export const chosen = <T>(map: ReadonlyMap<string, T>, name: string | undefined): [string, T][] =>
  [...map].filter(([key]) => name === undefined || key === name).sort(([a], [b]) => (a < b ? -1 : 1));
