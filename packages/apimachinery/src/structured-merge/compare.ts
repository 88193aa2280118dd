import { equalJson, isObject, type Json, type JsonObject, own } from '../json/json-value.ts';
import { type FieldSet, type FieldSetBuilder, insert } from './field-set.ts';
import { indexItems } from './list-items.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { isLeaf, type ListShape, type MapShape, type Shape } from './shape.ts';

/** The differences between two objects. No field is in two of the sets; all are empty exactly if the objects are equal. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export const isSame = ({ added, modified, removed }: Comparison): boolean =>
  added.size === 0 && modified.size === 0 && removed.size === 0;

export function compare(shape: Shape, before: Json, after: Json): Comparison {
  const comparing = new Comparing();
  comparing.compare(shape, before, after);
  return comparing;
}

/**
 * Undefined is an absent value. A field that its type always has (a struct in Go) is present in every object, although the JSON may lack
 * it: so a created object does not own the mere presence of its `spec`.
 */
class Comparing implements Comparison {
  readonly added: FieldSetBuilder = new Map();
  readonly modified: FieldSetBuilder = new Map();
  readonly removed: FieldSetBuilder = new Map();
  readonly #path: PathElement[] = [];

  compare(shape: Shape, before: Json | undefined, after: Json | undefined): void {
    const leafBefore = before === undefined ? undefined : isLeaf(shape, before) && !isOpenNull(shape, before);
    const leafAfter = after === undefined ? undefined : isLeaf(shape, after) && !isOpenNull(shape, after);
    if (leafBefore !== undefined && leafAfter !== undefined && leafBefore !== leafAfter) {
      this.#becomes(shape, before, after);
    } else if (leafBefore || leafAfter) this.#leaf(before, after);
    else if (shape.kind === 'map') this.#map(shape, before, after);
    else if (shape.kind === 'list') this.#list(shape, before, after);
  }

  /** Without a schema, a leaf may become a map, or a map a leaf. */
  #becomes(shape: Shape, before: Json | undefined, after: Json | undefined): void {
    if (shape.kind !== 'map') return;
    if (isObject(before)) this.#fields(shape, before, undefined);
    if (isObject(after)) this.#fields(shape, undefined, after);
    insert(this.modified, this.#path);
  }

  #leaf(before: Json | undefined, after: Json | undefined): void {
    if (before === undefined) insert(this.added, this.#path);
    else if (after === undefined) insert(this.removed, this.#path);
    else if (!equalJson(before, after)) insert(this.modified, this.#path);
  }

  #presence(before: Json | undefined, after: Json | undefined): void {
    if (before === undefined) insert(this.added, this.#path);
    else if (after === undefined) insert(this.removed, this.#path);
  }

  #map(shape: MapShape, before: Json | undefined, after: Json | undefined): void {
    const [left, right] = [isObject(before) ? before : undefined, isObject(after) ? after : undefined];
    if (isEmpty(left) && isEmpty(right)) {
      this.#leaf(before, after);
      return;
    }
    this.#fields(shape, left, right);
    this.#presence(before, after);
  }

  #fields(shape: MapShape, before: JsonObject | undefined, after: JsonObject | undefined): void {
    for (const key in before) this.#field(shape, key, before, after);
    for (const key in after) if (!before || !Object.hasOwn(before, key)) this.#field(shape, key, before, after);
  }

  #field(shape: MapShape, key: string, before: JsonObject | undefined, after: JsonObject | undefined): void {
    let left = before && own(before, key);
    let right = after && own(after, key);
    if (left === right) return;
    const field = shape.fields.get(key);
    const childShape = field?.shape ?? shape.element;
    if (!childShape) return;
    if (left === undefined && before) left = field?.empty;
    if (right === undefined && after) right = field?.empty;
    this.#path.push(field?.step ?? fieldElement(key));
    this.compare(childShape, left, right);
    this.#path.pop();
  }

  #list(shape: ListShape, before: Json | undefined, after: Json | undefined): void {
    const [left, right] = [Array.isArray(before) ? before : [], Array.isArray(after) ? after : []];
    if (left.length === 0 && right.length === 0) {
      this.#leaf(before, after);
      return;
    }
    const [lefts, rights] = [indexItems(shape, left), indexItems(shape, right)];
    for (const [element, likes] of lefts) this.#item(shape, element, likes, rights.get(element) ?? []);
    for (const [element, likes] of rights) if (!lefts.has(element)) this.#item(shape, element, [], likes);
    this.#presence(before, after);
  }

  /** Duplicate items are one leaf together. */
  #item(shape: ListShape, element: PathElement, before: Json[], after: Json[]): void {
    this.#path.push(element);
    if (before.length <= 1 && after.length <= 1) this.compare(shape.item, before[0], after[0]);
    else if (before.length > 1 && after.length > 1) this.#leaf(before, after);
    else if (before.length > 1) {
      if (after.length > 0) this.compare(shape.item, undefined, after[0]);
      insert(this.removed, this.#path);
    } else {
      if (before.length > 0) this.compare(shape.item, before[0], undefined);
      insert(this.added, this.#path);
    }
    this.#path.pop();
  }
}

function isEmpty(object: JsonObject | undefined): boolean {
  for (const _ in object) return false;
  return true;
}

/** Null without a schema can be an empty map as well as a leaf. */
const isOpenNull = (shape: Shape, value: Json): boolean =>
  value === null && shape.kind === 'map' && shape.deduced === true;
