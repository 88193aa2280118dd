import { type KubeObject, keyOf } from '@fairlead/apimachinery';

/** One step from the known state to the current one. An object that was deleted and created again with the same name is two changes. */
export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly old: T; readonly object: T }
  /** With the last known state, which may be older than the deleted one. */
  | { readonly type: 'deleted'; readonly object: T };

type Known<T> = { get(key: string): T | undefined; values(): Iterable<T> };

/** The changes when an object is observed. Empty if it is already known. */
export function changesOfSeen<T extends KubeObject>(known: Known<T>, object: T): Change<T>[] {
  const old = known.get(keyOf(object));
  if (!old) return [{ type: 'added', object }];
  if (old.metadata.uid !== object.metadata.uid) {
    return [
      { type: 'deleted', object: old },
      { type: 'added', object },
    ];
  }
  if (sameVersion(old, object)) return [];
  return [{ type: 'updated', old, object }];
}

/** The changes when an object is deleted. */
export function changesOfGone<T extends KubeObject>(known: Known<T>, object: T): Change<T>[] {
  const old = known.get(keyOf(object));
  if (!old) return [];
  return [{ type: 'deleted', object: old.metadata.uid === object.metadata.uid ? object : old }];
}

/** The changes when these are all objects: deletions first, so that no index has two owners of one value. */
export function changesOfAll<T extends KubeObject>(known: Known<T>, objects: readonly T[]): Change<T>[] {
  const keys = new Set(objects.map(keyOf));
  const changes: Change<T>[] = [];
  for (const old of known.values()) if (!keys.has(keyOf(old))) changes.push({ type: 'deleted', object: old });
  for (const object of objects) changes.push(...changesOfSeen(known, object));
  return changes;
}

function sameVersion(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.resourceVersion !== undefined && a.metadata.resourceVersion === b.metadata.resourceVersion;
}
