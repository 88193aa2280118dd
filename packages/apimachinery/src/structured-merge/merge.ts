import { isObject, type Json, type JsonObject, own, put } from '../json/json-value.ts';
import { indexItems, itemElement, SchemaMismatch } from './list-items.ts';
import type { PathElement } from './path-element.ts';
import { isLeaf, type ListShape, type MapShape, type Shape } from './shape.ts';

/**
 * The live object merged with a configuration: leaves come from the configuration if it has them, nothing is removed. Empty and null values
 * of the configuration keep the live value. Undefined is an absent value.
 */
export function merge(shape: Shape, live: Json | undefined, config: Json | undefined): Json | undefined {
  const kind = config === undefined ? live : config;
  if (kind === undefined) return undefined;
  if (isLeaf(shape, kind) && !(kind === null && shape.kind === 'map' && shape.deduced)) return kind;
  if (shape.kind === 'map') return mergeMaps(shape, live, config);
  return shape.kind === 'list' ? mergeLists(shape, live, config) : kind;
}

function mergeMaps(shape: MapShape, live: Json | undefined, config: Json | undefined): Json | undefined {
  const [left, right] = [isObject(live) ? live : {}, isObject(config) ? config : {}];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  if (keys.size === 0) return config === undefined ? live : config;
  const merged: JsonObject = {};
  for (const key of keys) {
    const childShape = shape.fields.get(key)?.shape ?? shape.element;
    const child = childShape ? merge(childShape, own(left, key), own(right, key)) : own(left, key);
    if (child !== undefined) put(merged, key, child);
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}

/**
 * Items that only the live list has keep their position; the others are in the order of the configuration. Iterates over both lists, taking
 * a common item if both are at it, and skipping live items that the configuration has elsewhere.
 */
function mergeLists(shape: ListShape, live: Json | undefined, config: Json | undefined): Json | undefined {
  const [left, right] = [Array.isArray(live) ? live : [], Array.isArray(config) ? config : []];
  if (left.length === 0 && right.length === 0) return config === undefined ? live : config;
  const [lefts, rights] = [indexItems(shape, left), indexItems(shape, right)];
  const leftOrder = left.map((item) => elementOf(shape, item));
  const rightOrder = [...rights.keys()];
  const shared = rightOrder.filter((element) => lefts.has(element));
  let nextShared = 0;
  const merged: Json[] = [];
  const done = new Set<PathElement>();

  const takeConfigured = (element: PathElement): void => {
    done.add(element);
    const likes = lefts.get(element) ?? [];
    const item = merge(shape.item, likes.length > 1 ? null : likes[0], rights.get(element)?.[0]);
    if (item !== undefined) merged.push(item);
    if (shared[nextShared] === element) nextShared += 1;
  };

  for (let l = 0, r = 0; l < left.length || r < rightOrder.length; ) {
    const atLeft = leftOrder[l];
    const atRight = rightOrder[r];
    if (atLeft !== undefined && atRight !== undefined) {
      if (atLeft === atRight) {
        takeConfigured(atRight);
        l += 1;
        r += 1;
        continue;
      }
      const expected = shared[nextShared];
      if (rights.has(atLeft) && expected !== undefined && expected !== atLeft) {
        l += 1;
        continue;
      }
    }
    if (atLeft !== undefined) {
      if (!rights.has(atLeft)) {
        const item = merge(shape.item, left[l], undefined);
        if (item !== undefined) merged.push(item);
        l += 1;
        continue;
      }
      if (done.has(atLeft)) l += 1;
    }
    if (atRight !== undefined) {
      takeConfigured(atRight);
      r += 1;
    }
  }
  return merged.length > 0 ? merged : undefined;
}

function elementOf(shape: ListShape, item: Json): PathElement {
  const element = itemElement(shape, item);
  if (typeof element === 'string') return element;
  throw new SchemaMismatch(element.problem);
}
