import { isObject, type JsonObject } from '@fairlead/apimachinery';
import { writeYaml } from '@fairlead/render/go-yaml';
import { customOutput, type ListFlags, sorted, withHeader } from './output/list-output.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal/terminal.ts';

/** How items of an answer are listed. */
export interface Columns {
  /** What an item is, for `-o name`. */
  readonly kind: string;
  readonly head: readonly string[];
  readonly row: (item: JsonObject) => readonly string[];
  /** The name for `-o name`; the first cell if not given. */
  readonly name?: (item: JsonObject) => string;
  /** Shown instead of an empty table. */
  readonly none: string;
}

/** Prints items as a table, or in the form of `-o`. */
export function printItems(terminal: Terminal, all: readonly JsonObject[], flags: ListFlags, columns: Columns) {
  const { kind, head, row, name = (item) => row(item)[0] ?? '', none } = columns;
  const { output: form } = flags;
  const items = sorted(all, flags, (item) => item);
  const custom = customOutput(items, flags);
  if (custom !== undefined) terminal.write(custom);
  else if (form === 'json' || form === 'yaml') terminal.write(printed(items, form));
  else if (form === 'name') for (const item of items) terminal.write(`${kind}/${name(item)}\n`);
  else if (items.length === 0) terminal.write(`${none}\n`);
  else terminal.write(table(withHeader(head, items.map(row), flags)));
}

/** Prints one item as lines of a label and a value, or in the form of `-o`. */
export function printItem(
  terminal: Terminal,
  item: JsonObject,
  form: string | undefined,
  {
    kind,
    name,
    lines,
  }: { readonly kind: string; readonly name: string; readonly lines: readonly (readonly [string, string])[] },
): void {
  if (form === 'json' || form === 'yaml') terminal.write(printed(item, form));
  else if (form === 'name') terminal.write(`${kind}/${name}\n`);
  else terminal.write(table(lines.filter(([, value]) => value !== '')));
}

const printed = (value: unknown, form: 'json' | 'yaml'): string =>
  form === 'json' ? `${JSON.stringify(value, null, 2)}\n` : writeYaml(value);

/** The items of a list in an answer, without fields that are empty. */
export const withoutEmpty = (item: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([, value]) => value !== undefined && value !== null && !(isObject(value) && Object.keys(value).length === 0),
    ),
  );
