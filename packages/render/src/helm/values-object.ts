import { fn } from '../go-template/function.ts';
import { anyMap, named } from '../go-template/go-type.ts';
import { GoError, GoMap, type GoValue, type Methods } from '../go-template/go-value.ts';
import { writeYaml } from '../go-yaml/index.ts';
import { toPlain } from '../sprig/plain.ts';

export const valuesType = named('common.Values', anyMap);

/** A map of Helm's own type, as `.Values` is: the same entries, and a few methods. Writing to it writes to the entries it was made of. */
export function valuesObject(entries: Iterable<readonly [string, GoValue]>): GoMap {
  const methods: Record<string, Methods[string]> = {};
  const map = new GoMap(entries, valuesType, methods);
  Object.assign(methods, {
    AsMap: fn('', () => new GoMap(map)),
    YAML: fn('', () => writeYaml(toPlain(map))),
    Table: fn('string', (path: string) => valuesObject(table(map, path.split('.')))),
    PathValue: fn('string', (path: string) => pathValue(map, path)),
  });
  return map;
}

function table(map: GoMap, path: readonly string[]): GoMap {
  let at = map;
  for (const name of path) {
    const next = at.get(name);
    if (!(next instanceof GoMap)) throw new GoError(`${JSON.stringify(name)} is not a table`);
    at = next;
  }
  return at;
}

function pathValue(map: GoMap, path: string): GoValue {
  if (path === '') throw new GoError('YAML path cannot be empty');
  const names = path.split('.');
  const key = names.at(-1)!;
  const missing = new GoError(`${JSON.stringify(key)} is not a value`);
  let holder: GoMap;
  try {
    holder = table(map, names.slice(0, -1));
  } catch {
    throw missing;
  }
  const value = holder.get(key);
  if (!holder.has(key) || value instanceof GoMap) throw missing;
  return value;
}
