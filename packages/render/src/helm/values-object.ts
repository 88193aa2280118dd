import { fn } from '../go-template/function.ts';
import { anyMap, named } from '../go-template/go-type.ts';
import { GoError, GoMap, type GoValue } from '../go-template/go-value.ts';
import { writeYaml } from '../go-yaml/index.ts';
import { toPlain } from '../sprig/plain.ts';
import { SharedMap } from './shared-map.ts';

const valuesType = named('common.Values', anyMap);

/** A map with Helm's own type, such as `.Values`: the same entries, and a few methods. */
export const valuesObject = (map: GoMap): GoMap =>
  new SharedMap(map, valuesType, {
    AsMap: fn('', () => (map.type === anyMap ? map : new SharedMap(map, anyMap))),
    YAML: fn('', () => writeYaml(toPlain(map))),
    Table: fn('string', (path: string) => valuesObject(table(map, path.split('.')))),
    PathValue: fn('string', (path: string) => pathValue(map, path)),
  });

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
  const key = names.at(-1) ?? '';
  let holder: GoMap | undefined;
  try {
    holder = table(map, names.slice(0, -1));
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
  }
  const value = holder?.get(key);
  if (!holder?.has(key) || value instanceof GoMap) throw new GoError(`${JSON.stringify(key)} is not a value`);
  return value;
}
