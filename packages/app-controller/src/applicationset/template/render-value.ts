import { isJsonObject, type Json, type JsonObject, put } from '@fairlead/apimachinery';
import type { Params, TextRenderer } from './text-renderer.ts';

/** What takes the place of a value before its parts are rendered; undefined leaves it to the rendering. */
export type Replace = (value: Json, path: readonly string[]) => Json | undefined;

/** A value with all of its texts rendered, keys of maps included. Null members of maps are dropped. */
export function renderValue(
  value: Json,
  params: Params,
  texts: TextRenderer,
  replace: Replace = () => undefined,
): Json {
  return render(value, []);

  function render(one: Json, path: readonly string[]): Json {
    if (typeof one === 'string') return texts.render(one, params);
    const replaced = replace(one, path);
    if (replaced !== undefined) return replaced;
    if (Array.isArray(one)) return one.map((item) => render(item, path));
    return isJsonObject(one) ? object(one, path) : one;
  }

  function object(one: JsonObject, path: readonly string[]): JsonObject {
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(one)) {
      if (item === null) continue;
      put(result, texts.render(key, params), render(item, [...path, key]));
    }
    return result;
  }
}
