import { type Json, type JsonObject, type JsonPath, parseJsonPath } from '@fairlead/apimachinery';
import { CliError } from '../cli-error.ts';
import { table } from '../table.ts';
import { parseJsonPathTemplate, valueText } from './json-path-template.ts';

/** The flags of commands that list something. */
export interface ListFlags {
  readonly output?: string;
  readonly 'no-headers'?: boolean;
  readonly 'sort-by'?: string;
}

/** Objects in the order of `--sort-by`; as they are without it. */
export function sorted<T>(
  objects: readonly T[],
  { 'sort-by': by }: ListFlags,
  jsonOf: (object: T) => Json,
): readonly T[] {
  if (by === undefined) return objects;
  const path = pathOf(by, `--sort-by ${by}`);
  const keyed = objects.map((object) => ({ object, key: path(jsonOf(object))[0] }));
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ object }) => object);
}

/** Objects without the field come first, as in kubectl. */
function order(a: Json | undefined, b: Json | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [valueText(a), valueText(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The text for `-o jsonpath=…` and `-o custom-columns=…`; undefined for another form. One object that was asked for by name is the root of its paths. */
export function customOutput(objects: readonly Json[], flags: ListFlags, single = false): string | undefined {
  const [form = '', text = ''] = (flags.output ?? '').split(/=(.*)/su);
  if (form === 'jsonpath') {
    const [first] = objects;
    const root: JsonObject = { kind: 'List', apiVersion: 'v1', items: [...objects] };
    return parseJsonPathTemplate(text)(single && first !== undefined ? first : root);
  }
  return form === 'custom-columns' ? columnTable(objects, text, flags) : undefined;
}

/** `NAME:.metadata.name,SYNC:.status.sync.status`. */
function columnTable(objects: readonly Json[], text: string, flags: ListFlags): string {
  const columns = text.split(',').map((column) => {
    const [head = '', path = ''] = column.split(/:(.*)/su);
    if (head === '' || path === '')
      throw new CliError(`invalid -o custom-columns=${text}: use HEADER:.path,HEADER:.path`);
    return { head, path: pathOf(path, `-o custom-columns=${text}`) };
  });
  const rows = objects.map((object) => columns.map(({ path }) => path(object).map(valueText).join(',') || '<none>'));
  return table(
    withHeader(
      columns.map(({ head }) => head),
      rows,
      flags,
    ),
  );
}

/** The rows of a table, with the header unless `--no-headers`. */
export const withHeader = <T>(
  head: readonly T[],
  rows: readonly (readonly T[])[],
  { 'no-headers': none }: ListFlags,
) => (none ? rows : [head, ...rows]);

function pathOf(text: string, where: string): JsonPath {
  const inner = text.replace(/^\{(.*)\}$/su, '$1');
  const path = parseJsonPath(/^[$@.[]/u.test(inner) ? inner : `.${inner}`);
  if (!path) throw new CliError(`invalid ${where}: ${text} is not a path such as .metadata.name`);
  return path;
}
