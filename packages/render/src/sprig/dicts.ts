import { fn } from '../go-template/function.ts';
import { stringSlice } from '../go-template/go-type.ts';
import { GoError, type GoFunction, GoMap, GoSlice, type GoValue, sortedKeys, typeOf } from '../go-template/go-value.ts';
import { mergeInto } from './merge.ts';
import { textOf } from './text.ts';

const merge = fn('map ...map', (target: GoMap, ...sources: GoMap[]) => merged(target, sources, false));
const mergeOverwrite = fn('map ...map', (target: GoMap, ...sources: GoMap[]) => merged(target, sources, true));
const copy = fn('any', (value: GoValue) => {
  if (value === null || value === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  return deepCopy(value);
});

export const dictFunctions: Readonly<Record<string, GoFunction>> = {
  dict: fn('...any', dict),
  get: fn('map string', (map: GoMap, key: string) => (map.has(key) ? map.get(key) : '')),
  set: fn('map string any', (map: GoMap, key: string, value: GoValue) => map.set(key, value)),
  unset: fn('map string', (map: GoMap, key: string) => {
    map.delete(key);
    return map;
  }),
  hasKey: fn('map string', (map: GoMap, key: string) => map.has(key)),
  pluck: fn('string ...map', (key: string, ...maps: GoMap[]) =>
    maps.filter((map) => map.has(key)).map((map) => map.get(key)),
  ),
  keys: fn('...map', (...maps: GoMap[]) => new GoSlice(maps.flatMap(sortedKeys), stringSlice)),
  values: fn('map', (map: GoMap) => sortedKeys(map).map((key) => map.get(key))),
  pick: fn('map ...string', (map: GoMap, ...keys: string[]) => {
    return new GoMap(keys.filter((key) => map.has(key)).map((key) => [key, map.get(key)] as const));
  }),
  omit: fn(
    'map ...string',
    (map: GoMap, ...keys: string[]) => new GoMap([...map].filter(([key]) => !keys.includes(key))),
  ),
  merge,
  mustMerge: merge,
  mergeOverwrite,
  mustMergeOverwrite: mergeOverwrite,
  deepCopy: copy,
  mustDeepCopy: copy,
  dig: fn('...any', dig),
};

function dict(...pairs: GoValue[]): GoMap {
  const map = new GoMap();
  for (let i = 0; i < pairs.length; i += 2) map.set(textOf(pairs[i]), i + 1 < pairs.length ? pairs[i + 1] : '');
  return map;
}

function merged(target: GoMap, sources: GoMap[], overwrite: boolean): GoMap {
  for (const source of sources) mergeInto(target, source, overwrite);
  return target;
}

export function deepCopy(value: GoMap): GoMap;
export function deepCopy(value: GoValue): GoValue;
export function deepCopy(value: GoValue): GoValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof GoMap) {
    const copy = new GoMap(null, value.type, value.methods);
    for (const [key, item] of value) copy.set(key, deepCopy(item));
    return copy;
  }
  if (Array.isArray(value)) return value.map(deepCopy);
  if (value instanceof GoSlice && !value.isNil) return new GoSlice(value.items.map(deepCopy), value.type);
  return value;
}

const notA = (value: GoValue, expected: string): GoError =>
  new GoError(`interface conversion: interface {} is ${typeOf(value)?.name ?? 'nil'}, not ${expected}`);

/** Only plain maps. A map of a named type, such as `.Values`, is an error. */
function plainMap(value: GoValue): GoMap {
  if (value instanceof GoMap && value.type.name === 'map[string]interface {}') return value;
  throw notA(value, 'map[string]interface {}');
}

function dig(...args: GoValue[]): GoValue {
  if (args.length < 3) throw new GoError('dig needs at least three arguments');
  let map = plainMap(args.at(-1));
  const keys = args.slice(0, -2).map((key) => {
    if (typeof key !== 'string') throw notA(key, 'string');
    return key;
  });
  for (const [i, key] of keys.entries()) {
    if (!map.has(key)) return args.at(-2);
    if (i === keys.length - 1) return map.get(key);
    map = plainMap(map.get(key));
  }
  return undefined;
}
