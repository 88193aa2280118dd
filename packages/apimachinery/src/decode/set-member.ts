import type { Json, JsonObject } from '../json/json-value.ts';

/** Sets a member with any name: `__proto__` in a map of a client is an ordinary key. */
export function setMember(object: JsonObject, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
