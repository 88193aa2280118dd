import { isDeepStrictEqual } from 'node:util';

export interface JsonPatchStep {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** RFC 6902 as far as controllers use it: `test`, `add`, `replace` and `remove` of fields. Gives a sentence where a step does not hold. */
export function jsonPatch(object: object, steps: readonly JsonPatchStep[]): object | string {
  const copy = structuredClone(object);
  for (const { op, path, value } of steps) {
    const names = path
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop() ?? '';
    let at: unknown = copy;
    for (const name of names) at = (at as Record<string, unknown> | undefined)?.[name];
    if (typeof at !== 'object' || at === null) return `${path} does not exist`;
    const parent = at as Record<string, unknown>;
    if (op !== 'add' && !(last in parent)) return `${path} does not exist`;
    if (op === 'test' && !isDeepStrictEqual(parent[last], value)) return `${path} is not ${JSON.stringify(value)}`;
    if (op === 'remove') delete parent[last];
    if (op === 'add' || op === 'replace') parent[last] = value;
  }
  return copy;
}
