import { isObject, type Json, type JsonObject } from '../json/json-value.ts';
import { type FieldNode, type FieldSet, nodeOf, noFields, sortedElements } from './field-set.ts';
import { type PathElement, readElement } from './path-element.ts';

/**
 * `fieldsV1`, the form of a set in managedFields: a tree of objects keyed by path elements. An empty object is a member; an object with
 * children is a member if it has `"."`.
 */
export function encodeFields(set: FieldSet): JsonObject {
  const encoded: JsonObject = {};
  for (const element of sortedElements(set)) {
    const node = set.get(element);
    if (node) encoded[element] = encodeNode(node);
  }
  return encoded;
}

function encodeNode(node: FieldNode): JsonObject {
  if (!node.children) return {};
  return node.member ? { '.': {}, ...encodeFields(node.children) } : encodeFields(node.children);
}

/** Throws if it is not a set of fields. Unknown kinds of path elements are ignored. */
export function decodeFields(encoded: JsonObject | undefined): FieldSet {
  return encoded === undefined ? noFields : decodeLevel(encoded);
}

function decodeLevel(encoded: JsonObject): FieldSet {
  let set: Map<PathElement, FieldNode> | undefined;
  for (const text in encoded) {
    if (text === '.') continue;
    const element = readElement(text);
    if (element === undefined) continue;
    set ??= new Map();
    set.set(element, decodeNode(encoded[text] ?? null));
  }
  return set ?? noFields;
}

function decodeNode(encoded: Json): FieldNode {
  if (encoded === null) return nodeOf(true, noFields);
  if (!isObject(encoded)) throw new Error('a set of fields is a tree of objects');
  const children = decodeLevel(encoded);
  return nodeOf(children.size === 0 || '.' in encoded, children);
}
