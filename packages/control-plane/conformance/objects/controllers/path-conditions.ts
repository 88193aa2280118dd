import { isDeepStrictEqual } from 'node:util';
import type { Json, KubeObject } from '@fairlead/apimachinery';

/** Whether the value at a path, as `status.conditions[Ready].status` or `spec.taints`, equals this one; null: there is none. */
export function holds(object: KubeObject, path: string, value: Json): boolean {
  const found = valueAt(object as unknown as Json, path);
  return value === null ? found === undefined || found === null : isDeepStrictEqual(found, value);
}

function valueAt(object: Json, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const [, name, item] of path.matchAll(/([^.[\]]+)|\[([^\]]+)\]/g)) {
    if (value === undefined || value === null || typeof value !== 'object') return undefined;
    if (name !== undefined) value = Array.isArray(value) ? undefined : value[name];
    else if (!Array.isArray(value)) return undefined;
    else if (/^\d+$/.test(item!)) value = value[Number(item)];
    else value = value.find((each) => (each as { type?: string } | null)?.type === item);
  }
  return value;
}
