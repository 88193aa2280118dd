import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  own,
  unstructured,
} from '@fairlead/apimachinery';

/** The JSON merge patch (RFC 7386) that turns one object into another; undefined when they are equal. */
export function createMergePatch(from: KubeObject, to: KubeObject): JsonObject | undefined {
  return between(unstructured(from), unstructured(to));
}

function between(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const changes: [string, Json][] = [];
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) changes.push([name, null]);
  for (const [name, value] of Object.entries(to)) {
    const before = own(from, name);
    if (isJsonObject(before) && isJsonObject(value)) {
      const inner = between(before, value);
      if (inner) changes.push([name, inner]);
    } else if (!equalJson(before, value)) changes.push([name, value]);
  }
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}
