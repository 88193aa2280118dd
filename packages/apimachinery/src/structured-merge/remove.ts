import { isObject, type Json, type JsonObject, put } from '../json/json-value.ts';
import type { FieldSet } from './field-set.ts';
import { itemElement } from './list-items.ts';
import { fieldElement } from './path-element.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';

/**
 * A value without the fields and items of a set. A value that becomes empty is undefined, and inside of others either removed or null: null
 * means that it still exists, which matters in a comparison.
 */
export function removeFields(
  shape: Shape,
  value: Json,
  set: FieldSet,
  emptied: 'gone' | 'null' = 'gone',
): Json | undefined {
  if (set.size === 0) return value;
  if (shape.kind === 'map' && isObject(value))
    return shape.atomic ? undefined : removeFromMap(shape, value, set, emptied);
  if (shape.kind === 'list' && Array.isArray(value)) {
    return shape.relation === 'atomic' ? undefined : removeFromList(shape, value, set, emptied);
  }
  return value;
}

function removeFromMap(
  shape: MapShape,
  value: JsonObject,
  set: FieldSet,
  emptied: 'gone' | 'null',
): JsonObject | undefined {
  const kept: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    const field = shape.fields.get(key);
    const node = set.get(field?.step ?? fieldElement(key));
    if (node?.member) continue;
    const childShape = field?.shape ?? shape.element;
    const rest = node?.children && childShape ? removeFields(childShape, child, node.children, emptied) : child;
    if (rest !== undefined) put(kept, key, rest);
    else if (emptied === 'null') put(kept, key, null);
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}

function removeFromList(
  shape: ListShape,
  items: readonly Json[],
  set: FieldSet,
  emptied: 'gone' | 'null',
): Json[] | undefined {
  const kept: Json[] = [];
  for (const item of items) {
    const element = itemElement(shape, item);
    const node = typeof element === 'string' ? set.get(element) : undefined;
    if (node?.member) continue;
    const rest = node?.children ? removeFields(shape.item, item, node.children, emptied) : item;
    if (rest !== undefined) kept.push(rest);
  }
  return kept.length > 0 ? kept : undefined;
}
