import type { JsonObject } from '@fairlead/apimachinery';
import { display, GoMap, GoSlice, type GoValue, stringMap, stringSlice } from '@fairlead/render/go-template';
import { fromPlain } from '@fairlead/render/sprig';
import type { Params } from '../template/text-renderer.ts';

export type { Params };

export const paramsOf = (entries: Iterable<readonly [string, GoValue]> = []): Params => new GoMap(entries);

/** The members of a JSON object as parameters with Go's types. */
export const paramsFrom = (object: JsonObject): Params =>
  paramsOf(Object.entries(object).map(([key, value]) => [key, fromPlain(value)] as const));

/** A `map[string]string`. */
export const textMap = (record: Readonly<Record<string, string>>): GoMap =>
  new GoMap(Object.entries(record), stringMap);

/** A `[]string`. */
export const textList = (texts: readonly string[]): GoSlice => new GoSlice([...texts], stringSlice);

/** Nested maps and lists with dotted names: `a.b`, `list.0`. Empty ones vanish. */
export function flatten(params: GoMap): Map<string, GoValue> {
  const flat = new Map<string, GoValue>();
  const visit = (value: GoValue, name: string): void => {
    const prefix = name === '' ? '' : `${name}.`;
    if (value instanceof GoMap) for (const [key, item] of value) visit(item, `${prefix}${key}`);
    else if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, `${prefix}${i}`);
    else flat.set(name, value);
  };
  visit(params, '');
  return flat;
}

/** As Go prints a value with `%v`. */
export const printed = (value: GoValue): string =>
  value === null || value === undefined ? '<nil>' : typeof value === 'string' ? value : display(value);

/** Flattened and printed, as selectors and plain templates see parameters. */
export function flatTexts(params: GoMap): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, value] of flatten(params)) texts[name] = printed(value);
  return texts;
}
