import { elementAt } from '../collections.ts';
import { equalJson, isObject, type Json, type JsonObject, own, put } from '../json/json-value.ts';
import type { Schema } from '../schema/schema.ts';
import { goText, goType } from './go-format.ts';

/** Which half of a difference is in the patch; a three-way patch takes each half from another pair of objects. */
export interface DiffHalves {
  readonly changes: boolean;
  readonly deletions: boolean;
}

/**
 * The strategic merge patch from one object to another, as kubectl computes it, with its directives. Empty if they are equal. Fields that
 * the schema does not have are merged if they are objects and replaced otherwise.
 */
export function strategicDiff(
  original: JsonObject,
  modified: JsonObject,
  schema: Schema | undefined,
  halves: DiffHalves,
  retainsKeys = false,
): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(modified)) {
    const value = modified[key] as Json;
    const before = own(original, key);
    if (before === value && typeof value !== 'object') continue;
    if (before === undefined || goType(before) !== goType(value)) {
      if (halves.changes) put(patch, key, value);
    } else if (isObject(before) && isObject(value)) diffObjects(patch, key, before, value, schema, halves);
    else if (Array.isArray(before) && Array.isArray(value)) diffLists(patch, key, before, value, schema, halves);
    else if (halves.changes && before !== value) put(patch, key, value);
  }
  if (halves.deletions) {
    for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) put(patch, key, null);
  }
  if (retainsKeys) retainKeys(patch, original, modified);
  return patch;
}

const isEmpty = (value: object): boolean => {
  for (const _ in value) return false;
  return true;
};

const fieldOf = (schema: Schema | undefined, key: string) =>
  schema?.type === 'object' ? schema.fields.get(key) : undefined;

function diffObjects(
  patch: JsonObject,
  key: string,
  original: JsonObject,
  modified: JsonObject,
  schema: Schema | undefined,
  halves: DiffHalves,
): void {
  const field = fieldOf(schema, key);
  if (field?.patch?.strategy.includes('replace')) {
    if (halves.changes) put(patch, key, modified);
    return;
  }
  const retainsKeys = field?.patch?.strategy.includes('retainKeys') ?? false;
  const inner = strategicDiff(original, modified, field?.schema, halves, retainsKeys);
  if (!isEmpty(inner)) put(patch, key, inner);
}

/** A union: the server drops the members that are not listed. */
function retainKeys(patch: JsonObject, original: JsonObject, modified: JsonObject): void {
  const kept = Object.keys(modified).filter((key) => modified[key] !== null);
  const hasOthers = Object.keys(original).some((key) => !Object.hasOwn(modified, key));
  if (kept.length > 0 && (hasOthers || !isEmpty(patch))) put(patch, '$retainKeys', kept.sort());
}

function diffLists(
  patch: JsonObject,
  key: string,
  original: Json[],
  modified: Json[],
  schema: Schema | undefined,
  halves: DiffHalves,
): void {
  const field = fieldOf(schema, key);
  const mergeKey = field?.patch?.mergeKey ?? '';
  const merges = field?.patch?.strategy.includes('merge') && field.schema.type === 'list';
  if (!field || !merges || !isUniform(original, modified, mergeKey)) {
    if (halves.changes && !equalJson(original, modified)) put(patch, key, modified);
    return;
  }
  if (original.length === 0) {
    if (halves.changes && modified.length > 0) put(patch, key, modified);
    return;
  }
  if (mergeKey === '') {
    diffValues(patch, key, original, modified, halves);
    return;
  }
  const items = field.schema.type === 'list' ? field.schema.items : undefined;
  const retainsKeys = field.patch?.strategy.includes('retainKeys') ?? false;
  diffItems(patch, key, { original, modified, items, mergeKey, halves, retainsKeys });
}

/** Whether all items have the merge key, or, without a merge key, none is an object; other lists cannot be merged. */
function isUniform(original: readonly Json[], modified: readonly Json[], mergeKey: string): boolean {
  const type = typeof (original[0] ?? modified[0]);
  const fits = (item: Json): boolean =>
    mergeKey === ''
      ? typeof item !== 'object' && typeof item === type
      : isObject(item) && own(item, mergeKey) !== undefined;
  return original.every(fits) && modified.every(fits);
}

function diffValues(
  patch: JsonObject,
  key: string,
  original: readonly Json[],
  modified: Json[],
  { changes, deletions }: DiffHalves,
): void {
  const added = changes ? modified.filter((value) => !original.includes(value)) : [];
  const removed = deletions ? [...new Set(original.filter((value) => !modified.includes(value)))] : [];
  if (added.length > 0) put(patch, key, added);
  if (removed.length > 0) put(patch, `$deleteFromPrimitiveList/${key}`, removed);
  if (removed.length > 0 || (changes && !equalJson([...original], modified))) {
    if (modified.length > 0) put(patch, `$setElementOrder/${key}`, modified);
  }
}

interface ItemsDiff {
  readonly original: readonly Json[];
  readonly modified: readonly Json[];
  readonly items: Schema | undefined;
  readonly mergeKey: string;
  readonly halves: DiffHalves;
  readonly retainsKeys: boolean;
}

function diffItems(patch: JsonObject, key: string, diff: ItemsDiff): void {
  const { original, modified, mergeKey, halves } = diff;
  const sameOrder =
    original.length === modified.length &&
    modified.every((item, i) => idOf(item, mergeKey) === idOf(elementAt(original, i), mergeKey));
  const { changed, deleted } = sameOrder ? diffPairs(diff) : diffSortedItems(diff);
  const list = [...inOrderOf(modified, changed, mergeKey), ...deleted];
  if (list.length > 0) put(patch, key, list);
  if ((list.length > 0 || (halves.changes && !sameOrder)) && modified.length > 0) {
    const order = modified.map(
      (item): JsonObject => (isObject(item) ? { [mergeKey]: own(item, mergeKey) ?? null } : {}),
    );
    put(patch, `$setElementOrder/${key}`, order);
  }
}

interface DiffedItems {
  readonly changed: Json[];
  readonly deleted: Json[];
}

/** Compares lists with the same keys in the same order: the common case, which needs no sorted copies. */
function diffPairs({ original, modified, ...diff }: ItemsDiff): DiffedItems {
  const changed: Json[] = [];
  // Backwards, for items with the same key: `sortedByKey` has them in reverse order.
  for (let i = modified.length - 1; i >= 0; i--) {
    const [was, is] = [original[i], modified[i]];
    if (isObject(was) && isObject(is)) diffPair(changed, was, is, diff);
  }
  return { changed, deleted: [] };
}

type PairDiff = Pick<ItemsDiff, 'items' | 'mergeKey' | 'halves' | 'retainsKeys'>;

function diffPair(
  changed: Json[],
  was: JsonObject,
  is: JsonObject,
  { items, mergeKey, halves, retainsKeys }: PairDiff,
): void {
  const inner = strategicDiff(was, is, items, halves, retainsKeys);
  if (!isEmpty(inner)) changed.push({ ...inner, [mergeKey]: own(is, mergeKey) ?? null });
}

/** Iterates over both lists in the order of their keys and compares the items with equal keys. */
function diffSortedItems(diff: ItemsDiff): DiffedItems {
  const { mergeKey, halves } = diff;
  const [before, after] = [sortedByKey(diff.original, mergeKey), sortedByKey(diff.modified, mergeKey)];
  const changed: Json[] = [];
  const deleted: Json[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [was, is] = [before[i], after[j]];
    if (was && is && was.id === is.id) {
      diffPair(changed, was.item, is.item, diff);
      i++;
      j++;
    } else if (is && (!was || was.id > is.id)) {
      if (halves.changes) changed.push(is.item);
      j++;
    } else if (was) {
      if (halves.deletions) deleted.push({ [mergeKey]: own(was.item, mergeKey) ?? null, $patch: 'delete' });
      i++;
    }
  }
  return { changed, deleted };
}

/** The value of an item's merge key as text, as kubectl compares it. */
export const idOf = (item: Json, mergeKey: string): string => goText(isObject(item) ? own(item, mergeKey) : null);

/** Items with the same key are in reverse order, as in kubectl: which of them are paired decides what is deleted. */
function sortedByKey(list: readonly Json[], mergeKey: string): { readonly id: string; readonly item: JsonObject }[] {
  return list
    .flatMap((item) => (isObject(item) ? [{ id: idOf(item, mergeKey), item }] : []))
    .reverse()
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** Items in the order of their keys in another list; items that are not in it are last. */
export function inOrderOf(order: readonly Json[], items: readonly Json[], mergeKey: string): Json[] {
  if (items.length < 2) return [...items];
  const places = new Map<string, number>();
  order.forEach((item, index) => {
    const id = idOf(item, mergeKey);
    if (!places.has(id)) places.set(id, index);
  });
  const placeOf = (item: Json): number => places.get(idOf(item, mergeKey)) ?? order.length;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
