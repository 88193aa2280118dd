import { isObject, type Json, own } from '../json/json-value.ts';
import { goQuote } from '../patch/go-format.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';
import type { ListShape } from './shape.ts';

/** A value that does not match its schema. */
export class SchemaMismatch extends Error {}

/** The identity of an item of a set or of a list of type map; a message if it has none. */
export function itemElement(list: ListShape, item: Json): PathElement | { readonly problem: string } {
  return list.keyNames.length > 0 ? keyedItem(list, item) : setItem(item);
}

function keyedItem(list: ListShape, item: Json): PathElement | { readonly problem: string } {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isObject(item)) return { problem: 'associative list with keys may not have non-map elements' };
  const keys: [string, Json][] = [];
  for (const key of list.keys) {
    const given = own(item, key.name);
    const value = given === undefined ? key.default : given;
    if (value !== undefined) keys.push([key.name, value]);
  }
  if (keys.length > 0) return keyElement(keys);
  return {
    problem: `associative list with keys has an element that omits all key fields [${list.keyNames.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`,
  };
}

function setItem(item: Json): PathElement | { readonly problem: string } {
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (typeof item === 'object') return { problem: "associative list without keys has an element that's a map type" };
  return valueElement(item);
}

/** The items of a list by their identity. Duplicates are kept, in order. */
export function indexItems(list: ListShape, items: readonly Json[]): Map<PathElement, Json[]> {
  const index = new Map<PathElement, Json[]>();
  items.forEach((item, at) => {
    const element = itemElement(list, item);
    if (typeof element !== 'string') throw new SchemaMismatch(`element ${at}: ${element.problem}`);
    const likes = index.get(element);
    if (likes) likes.push(item);
    else index.set(element, [item]);
  });
  return index;
}
