import type { Json, JsonObject } from '../json/json-value.ts';

/** Assigns a member whatever its name is: `__proto__` in a client's map is a key like any other. */
export function setMember(object: JsonObject, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
