import { type KubeObject, keyOf } from '@fairlead/apimachinery';

/** One step from what was known to what is. An object that was deleted and made again under its name is two changes. */
export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly old: T; readonly object: T }
  /** With the last state that was seen, which may be older than the one that was deleted. */
  | { readonly type: 'deleted'; readonly object: T };

type Known<T> = { get(key: string): T | undefined; values(): Iterable<T> };

/** What changes when an object is seen. Nothing when it is the one already known. */
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

/** What changes when an object is gone. */
export function changesOfGone<T extends KubeObject>(known: Known<T>, object: T): Change<T>[] {
  const old = known.get(keyOf(object));
  if (!old) return [];
  return [{ type: 'deleted', object: old.metadata.uid === object.metadata.uid ? object : old }];
}

/** What changes when these objects are all there is: deletions first, so that no index holds two owners of one value. */
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
