import { GoMap, type GoValue, itemsOf, sortedKeys } from '@fairlead/render/go-template';
import { fetchMember, groupKey } from '../members.ts';
import { AnyKeyMap, EvalFailure, fail, typeText } from '../values.ts';
import type { Builtin } from './builtin.ts';

const mapOf = (value: GoValue, doing: string): GoMap =>
  value instanceof GoMap ? value : fail(`cannot ${doing} ${typeText(value)}`);

/** Keys with their values. Go's order is random; ours is that of the keys. */
const pairsOf = (map: GoMap): [GoValue, GoValue][] =>
  sortedKeys(map).map((id) => [map instanceof AnyKeyMap ? (map.originals.get(id) ?? null) : id, map.get(id) ?? null]);

function get([object, key]: readonly GoValue[]): GoValue {
  if (object instanceof GoMap && !(object instanceof AnyKeyMap) && typeof key === 'string' && !object.has(key))
    return null;
  try {
    return fetchMember(object ?? null, key ?? null);
  } catch (error) {
    if (error instanceof EvalFailure) return null;
    throw error;
  }
}

function fromPairs(list: GoValue): GoValue {
  const map = new AnyKeyMap();
  for (const item of itemsOf(list) ?? fail(`cannot transform ${typeText(list)} from pairs`)) {
    const pair = itemsOf(item);
    if (pair?.length !== 2) return fail('invalid pair: it must be a list of a key and a value');
    const [key, value] = pair;
    map.originals.set(groupKey(key), key);
    map.set(groupKey(key), value);
  }
  return map;
}

export const mapBuiltins: Readonly<Record<string, Builtin>> = {
  get,
  keys: ([map]) => pairsOf(mapOf(map, 'get keys from')).map(([key]) => key),
  values: ([map]) => pairsOf(mapOf(map, 'get values from')).map(([, value]) => value),
  toPairs: ([map]) => pairsOf(mapOf(map, 'get pairs from')),
  fromPairs: ([list]) => fromPairs(list),
};
