import { childSchema, equalJson, isObject, type Json, own, type Structural } from '@fairlead/apimachinery';

/**
 * A value and its old value, traversed together. Items of a list are correlated only by their keys (`x-kubernetes-list-type: map`); items
 * of other lists have no old value.
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
    const [next, before] = [own(value, name), own(old, name)];
    if (next === undefined || before === undefined) return undefined;
    const schema = childSchema(this.#schema, name);
    return schema && new Correlation(next, before, schema);
  }

  index(at: number): Correlation | undefined {
    const { value, old } = this;
    const items = this.#schema.items;
    if (!Array.isArray(value) || !Array.isArray(old) || !items || this.#schema.listType !== 'map') return undefined;
    this.#byKeys ??= itemsByKeys(old, this.#schema);
    const item = value[at];
    if (!isObject(item)) return undefined;
    const before = this.#byKeys.get(keysOf(item, this.#schema));
    return before === undefined ? undefined : new Correlation(item, before, items);
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

/** The keys of an item as one text; an absent key has its default. */
export const keysOf = (item: { [key: string]: Json }, schema: Structural): string =>
  JSON.stringify(schema.mapKeys.map((key) => item[key] ?? schema.items?.properties.get(key)?.default ?? null));
