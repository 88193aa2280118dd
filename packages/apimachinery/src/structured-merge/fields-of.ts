import { isObject, type Json, type JsonObject } from '../json/json-value.ts';
import { type FieldSet, type FieldSetBuilder, insert } from './field-set.ts';
import { indexItems } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { isLeaf, type ListShape, type MapShape, type Shape } from './shape.ts';

/**
 * The fields of a configuration: every leaf, every list item, every map key, and nulls and empty objects. A declared field that only
 * contains others is not included: setting `spec.replicas` does not own `spec`.
 */
export function fieldsOf(shape: Shape, value: Json): FieldSet {
  const set: FieldSetBuilder = new Map();
  collect(shape, value, [], set);
  return set;
}

function collect(shape: Shape, value: Json, path: PathElement[], set: FieldSetBuilder): void {
  if (isLeaf(shape, value)) {
    if (shape.kind !== 'map' || !shape.deduced || value !== null) insert(set, path);
  } else if (shape.kind === 'map' && isObject(value)) collectFields(shape, value, path, set);
  else if (shape.kind === 'list' && Array.isArray(value)) collectItems(shape, value, path, set);
}

function collectFields(shape: MapShape, value: JsonObject, path: PathElement[], set: FieldSetBuilder): void {
  for (const [key, child] of Object.entries(value)) {
    const field = shape.fields.get(key);
    const childShape = field?.shape ?? shape.element;
    if (!childShape) continue;
    path.push(field?.step ?? fieldElement(key));
    collect(childShape, child, path, set);
    if (!field || child === null || (isObject(child) && Object.keys(child).length === 0)) insert(set, path);
    path.pop();
  }
}

/** For a duplicate item only the item itself is in the set. */
function collectItems(shape: ListShape, items: readonly Json[], path: PathElement[], set: FieldSetBuilder): void {
  for (const [element, likes] of indexItems(shape, items)) {
    path.push(element);
    const [only] = likes;
    if (only !== undefined && likes.length === 1) collect(shape.item, only, path, set);
    insert(set, path);
    path.pop();
  }
}
