import { byteSliceType } from '../go-template/go-type.ts';
import { GoError, GoInt, GoMap, GoObject, GoSlice, type GoValue, sortedKeys } from '../go-template/go-value.ts';
import { bytesOf } from './text.ts';
import { rfc3339 } from './time/format.ts';
import { instantOf, isTime } from './time/time-value.ts';

/** Shared branches can make a small value huge when it is written. */
const maxNodes = 1_000_000;
const maxDepth = 500;

/** A value as encoding/json sees it: integers as bigints, bytes as base64, times and versions as text, structs as maps. */
export function toPlain(value: GoValue): unknown {
  let nodes = 0;
  const convert = (item: GoValue, depth: number): unknown => {
    if (++nodes > maxNodes || depth > maxDepth) throw new GoError('the value is too large or too deep to be written');
    if (item === undefined || item === null) return null;
    if (typeof item !== 'object') return item;
    if (Array.isArray(item)) return item.map((element) => convert(element, depth + 1));
    if (item instanceof GoMap) return new Map(sortedKeys(item).map((key) => [key, convert(item.get(key), depth + 1)]));
    if (item instanceof GoInt) return item.value;
    if (item instanceof GoSlice) {
      if (item.isNil) return null;
      if (item.type === byteSliceType) return Buffer.from(bytesOf(item)).toString('base64');
      return item.items.map((element) => convert(element, depth + 1));
    }
    if (isTime(item)) return rfc3339(instantOf(item));
    if (item instanceof GoObject) {
      if (item.fields.size === 0 && item.text) return item.text();
      return new Map([...item.fields].map(([name, field]) => [name, convert(field, depth + 1)]));
    }
    throw new GoError('json: unsupported type');
  };
  return convert(value, 0);
}

/** Parsed YAML or JSON as values for templates. */
export function fromPlain(value: unknown): GoValue {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return (value ?? null) as GoValue;
  if (Array.isArray(value)) return value.map(fromPlain);
  const map = new GoMap();
  const entries = value instanceof Map ? value : Object.entries(value);
  for (const [key, item] of entries) map.set(key, fromPlain(item));
  return map;
}
