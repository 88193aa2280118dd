import type { Json, JsonObject } from '@fairlead/kube';
import { isJsonObject } from '../json-at.ts';

/** The predicted object with the fields named by JSON pointers as they are in the live one. */
export function ignoreFields(predicted: JsonObject, live: JsonObject, pointers: readonly string[]): JsonObject {
  let result = predicted;
  for (const pointer of pointers) {
    const names = parsePointer(pointer);
    if (names) result = copyAt(result, live, names) as JsonObject;
  }
  return result;
}

/** `/spec/replicas` → its names; undefined when it is no pointer into an object. */
function parsePointer(pointer: string): string[] | undefined {
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function copyAt(to: Json | undefined, from: Json | undefined, [name, ...rest]: readonly string[]): Json | undefined {
  if (name === undefined) return from;
  if (Array.isArray(to)) {
    const i = Number(name);
    if (!Array.isArray(from) || !(i < to.length) || !(i < from.length)) return to;
    const item = copyAt(to[i], from[i], rest);
    return item === to[i] || item === undefined ? to : to.with(i, item);
  }
  const target = isJsonObject(to) ? to : undefined;
  if (to !== undefined && !target) return to;
  const value = copyAt(target?.[name], isJsonObject(from) ? from[name] : undefined, rest);
  if (value === target?.[name]) return to;
  const { [name]: _, ...others } = target ?? {};
  return value === undefined ? others : { ...others, [name]: value };
}
