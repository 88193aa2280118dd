import { elementAt } from '../collections.ts';
import { isObject, type Json, type JsonObject, own } from '../json/json-value.ts';
import { strategicError } from './strategic-errors.ts';

/** Merges a patch into one item of a list. */
type MergeItem = (original: JsonObject, patch: JsonObject) => JsonObject;

export interface ListMerge {
  readonly original: readonly Json[];
  readonly patch: readonly Json[];
  /** Empty for lists of plain values. */
  readonly mergeKey: string;
  /** The type of the items, for messages. */
  readonly itemKind: string;
  readonly mergeItem: MergeItem;
}

/** `$deleteFromPrimitiveList/x`. Lists of objects do not support it: there the list is merged as any other. */
export function deleteFromList(merge: ListMerge): Json[] {
  if (merge.original.length === 0 && merge.patch.length === 0) return [];
  if (elementsAreMaps(merge.original, merge.patch)) return mergeLists(merge);
  const unwanted = new Set(merge.patch);
  return merge.original.filter((item) => !unwanted.has(item));
}

export function mergeLists({ original, patch, mergeKey, itemKind, mergeItem }: ListMerge): Json[] {
  if (original.length === 0 && patch.length === 0) return [...original];
  if (!elementsAreMaps(original, patch)) {
    const merged = [...new Set([...original, ...patch])];
    return arrange(merged, patch, original, '');
  }
  if (mergeKey === '') throw strategicError.noKeyForList(itemKind);
  const { kept, patched } = applyDirectives(original, patch, mergeKey);
  return arrange(mergeItems(kept, patched, mergeKey, mergeItem), patched, kept, mergeKey);
}

/** `$patch: delete` items remove the matching items, one `$patch: replace` item replaces the whole list by the others. */
function applyDirectives(
  original: readonly Json[],
  patch: readonly Json[],
  mergeKey: string,
): { readonly kept: readonly Json[]; readonly patched: readonly Json[]; readonly replaced?: readonly Json[] } {
  const patched: Json[] = [];
  const deleted = new Set<unknown>();
  let replace = false;
  for (const item of patch) {
    const directive = isObject(item) ? own(item, '$patch') : undefined;
    if (directive === undefined || !isObject(item)) patched.push(item);
    else if (directive === 'delete') deleted.add(identity(item, mergeKey));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw strategicError.mergeDirectiveInList();
    else throw strategicError.directive(directive, item);
  }
  const kept = deleted.size === 0 ? original : original.filter((item) => !deleted.has(looseIdentity(item, mergeKey)));
  return replace ? { kept: patched, patched: [], replaced: kept } : { kept, patched };
}

/** The live list after the merge, which a server uses to apply `$setElementOrder`: new items that replaced deleted ones count as live. */
export function liveOrderAfter(original: readonly Json[], patch: readonly Json[], mergeKey: string): readonly Json[] {
  if (mergeKey === '') return original;
  const { kept, patched, replaced } = applyDirectives(original, patch, mergeKey);
  if (replaced) return replaced;
  const known = new Set(kept.map((item) => looseIdentity(item, mergeKey)));
  const added = patched.filter((item) => !known.has(identity(item, mergeKey)));
  return [...kept, ...added.slice(0, original.length - kept.length)];
}

function mergeItems(original: readonly Json[], patch: readonly Json[], mergeKey: string, mergeItem: MergeItem): Json[] {
  const merged = [...original];
  const places = new Map<unknown, number>();
  merged.forEach((item, index) => {
    const id = looseIdentity(item, mergeKey);
    if (id !== undefined && !places.has(id)) places.set(id, index);
  });
  for (const item of patch) {
    const id = identity(item, mergeKey);
    const place = places.get(id);
    if (place === undefined) {
      places.set(id, merged.length);
      merged.push(item);
    } else {
      merged[place] = mergeItem(merged[place] as JsonObject, item as JsonObject);
    }
  }
  return merged;
}

/**
 * Items in `order` are in that order, all others in their previous order. When merging both, an item that the patch does not contain is
 * before one that it contains only if it was before it; so new items are first.
 */
export function arrange(
  merged: readonly Json[],
  order: readonly Json[],
  live: readonly Json[],
  mergeKey: string,
): Json[] {
  const orderOf = positions(order, mergeKey);
  const liveOf = positions(live, mergeKey);
  const id = (item: Json) => identity(item, mergeKey);
  const named = sortBy(
    merged.filter((item) => orderOf.has(id(item))),
    (item) => orderOf.get(id(item)),
  );
  const others = sortBy(
    merged.filter((item) => !orderOf.has(id(item))),
    (item) => liveOf.get(id(item)),
  );
  const arranged: Json[] = [];
  let next = 0;
  for (const item of named) {
    const place = liveOf.get(id(item));
    for (; next < others.length; next++) {
      const other = elementAt(others, next);
      const otherPlace = liveOf.get(id(other));
      if (place === undefined || otherPlace === undefined || otherPlace > place) break;
      arranged.push(other);
    }
    arranged.push(item);
  }
  return [...arranged, ...others.slice(next)];
}

/** Whether the lists contain objects; mixed lists are refused. */
export function elementsAreMaps(...lists: readonly (readonly Json[])[]): boolean {
  let kind: string | undefined;
  for (const item of lists.flat()) {
    if (Array.isArray(item)) throw strategicError.listOfLists();
    const found = item === null ? 'null' : typeof item;
    if (kind !== undefined && kind !== found) throw strategicError.mixedTypes(lists);
    kind = found;
  }
  if (kind === undefined) throw strategicError.noElements();
  return kind === 'object';
}

function positions(list: readonly Json[], mergeKey: string): Map<unknown, number> {
  const places = new Map<unknown, number>();
  list.forEach((item, index) => {
    const id = identity(item, mergeKey);
    if (!places.has(id)) places.set(id, index);
  });
  return places;
}

/** The identity of an item: the value itself, or the value of its merge key. */
export function identity(item: Json, mergeKey: string): unknown {
  const id = looseIdentity(item, mergeKey);
  if (id === undefined) throw strategicError.noMergeKey(item, mergeKey);
  return id;
}

function looseIdentity(item: Json, mergeKey: string): unknown {
  if (mergeKey === '') return comparable(item);
  if (!isObject(item)) throw strategicError.wrongType({}, item);
  const value = own(item, mergeKey);
  return value === undefined ? undefined : comparable(value);
}

const comparable = (value: Json): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

const sortBy = (items: Json[], place: (item: Json) => number | undefined): Json[] =>
  items
    .map((item) => ({ item, at: place(item) ?? -1 }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
