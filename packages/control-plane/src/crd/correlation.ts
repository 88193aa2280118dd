import { childSchema, equalJson, type Json, type Structural } from '@fairlead/apimachinery';
import { isObject } from './prune.ts';

/**
 * A value and what it was before the update, walked down together. Items of a list belong together only by their keys
 * (`x-kubernetes-list-type: map`); items of other lists have no past.
 */
export class Correlation {
  readonly value: Json;
  readonly old: Json;
  readonly #schema: Structural;
  #unchanged: boolean | undefined;
  #byKeys: ReadonlyMap<string, Json> | undefined;

  constructor(value: Json, old: Json, schema: Structural) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  isUnchanged(): boolean {
    return (this.#unchanged ??= equalJson(this.value, this.old));
  }

  key(name: string): Correlation | undefined {
    const { value, old } = this;
    if (!isObject(value) || !isObject(old)) return undefined;
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const schema = childSchema(this.#schema, name);
    return schema && new Correlation(value[name]!, old[name]!, schema);
  }

  index(at: number): Correlation | undefined {
    const { value, old } = this;
    const items = this.#schema.items;
    if (!Array.isArray(value) || !Array.isArray(old) || !items || this.#schema.listType !== 'map') return undefined;
    this.#byKeys ??= itemsByKeys(old, this.#schema);
    const item = value[at];
    const before = isObject(item) ? this.#byKeys.get(keysOf(item, this.#schema)) : undefined;
    return before === undefined ? undefined : new Correlation(item!, before, items);
  }
}

/** The first item with each combination of keys. */
export function itemsByKeys(list: readonly Json[], schema: Structural): ReadonlyMap<string, Json> {
  const items = new Map<string, Json>();
  for (const item of list) {
    if (!isObject(item)) continue;
    const keys = keysOf(item, schema);
    if (!items.has(keys)) items.set(keys, item);
  }
  return items;
}

/** The keys of an item as one text; a key that is absent counts by its default. */
export const keysOf = (item: { [key: string]: Json }, schema: Structural): string =>
  JSON.stringify(schema.mapKeys.map((key) => item[key] ?? schema.items?.properties.get(key)?.default ?? null));
