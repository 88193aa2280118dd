import {
  apiError,
  apiVersionOf,
  formatTime,
  getOrCreate,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type ResourceType,
} from '@fairlead/apimachinery';
import type { DeleteOptions } from '@fairlead/kube';

export interface SimEvent {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: string;
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}

interface SimWrite {
  /** Validated, but nothing is changed. */
  readonly dryRun?: boolean;
  /** A write of `status` alone does not increment the generation. */
  readonly subresource?: string;
}

/** A snapshot of a store, to restore later. */
export type SimBackup = ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;

export const resourceOf = (type: ResourceType): string => `${type.plural}.${type.group}`;
const nameOf = (key: ObjectKey): string => keyOf({ metadata: key });

/**
 * The state of a simulated API server: objects, one revision for all of them, and the history of events. Synchronous and without faults:
 * scenarios write to it directly as other clients, and compare with it at the end.
 */
export class SimStore {
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #listeners = new Set<(event: SimEvent) => void>();
  readonly #uid: () => string;
  readonly #now: () => number;
  #history: SimEvent[] = [];
  #revision = 1;
  #compacted = 0;

  constructor(options: { readonly uid: () => string; readonly now: () => number }) {
    this.#uid = options.uid;
    this.#now = options.now;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Events up to this revision are compacted. */
  get compacted(): number {
    return this.#compacted;
  }

  /** The caller names the kind's type, as with any client. */
  get<T extends KubeObject = KubeObject>(type: ResourceType, key: ObjectKey): T {
    const object = this.find<T>(type, key);
    if (!object) throw this.#refusal(404, 'NotFound', type, key.name, 'not found');
    return object;
  }

  find<T extends KubeObject = KubeObject>(type: ResourceType, key: ObjectKey): T | undefined {
    return this.#of<T>(type).get(nameOf(key));
  }

  list<T extends KubeObject = KubeObject>(type: ResourceType): T[] {
    return sorted(this.#of<T>(type).values());
  }

  /** The objects at a revision that is not compacted. */
  listAt(type: ResourceType, revision: number): KubeObject[] {
    const objects = new Map(this.#of(type));
    for (const event of this.#history.toReversed()) {
      if (event.revision <= revision) break;
      if (event.resource !== resourceOf(type)) continue;
      if (event.previous) objects.set(keyOf(event.previous), event.previous);
      else objects.delete(keyOf(event.object));
    }
    return sorted(objects.values());
  }

  /** Events after a revision, in order. */
  since(revision: number, type: ResourceType): SimEvent[] {
    return this.#history.filter((event) => event.revision > revision && event.resource === resourceOf(type));
  }

  create<T extends KubeObject>(type: ResourceType, object: T, { dryRun = false }: SimWrite = {}): T {
    const name = object.metadata.name || `${object.metadata.generateName ?? ''}${this.#uid().slice(-5)}`;
    const metadata = {
      ...object.metadata,
      name,
      uid: this.#uid(),
      generation: 1,
      creationTimestamp: formatTime(this.#now()),
    };
    if (this.#of(type).has(keyOf({ metadata }))) {
      throw this.#refusal(409, 'AlreadyExists', type, name, 'already exists');
    }
    const made = { ...object, apiVersion: apiVersionOf(type), kind: type.kind, metadata };
    return dryRun ? made : this.#put(type, made, undefined);
  }

  /** Replaces the object: fields that are not given are removed. */
  replace<T extends KubeObject>(type: ResourceType, object: T, { dryRun = false, subresource }: SimWrite = {}): T {
    const old = this.get<T>(type, object.metadata);
    const { uid, resourceVersion } = object.metadata;
    if (uid !== undefined && uid !== old.metadata.uid) throw this.#conflict(type, old, 'the uid is another');
    if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
      throw this.#conflict(
        type,
        old,
        'the object has been modified; please apply your changes to the latest version and try again',
      );
    }
    const { creationTimestamp, deletionTimestamp, generation = 1 } = old.metadata;
    const metadata = {
      ...object.metadata,
      ...(old.metadata.uid ? { uid: old.metadata.uid } : {}),
      ...(creationTimestamp ? { creationTimestamp } : {}),
      ...(deletionTimestamp ? { deletionTimestamp } : {}),
      generation,
    };
    const next = { ...object, apiVersion: old.apiVersion, kind: old.kind, metadata };
    if (sameContent(next, old)) return old;
    const newGeneration = subresource !== 'status' && !sameContent({ ...next, metadata: old.metadata }, old);
    if (newGeneration) metadata.generation = generation + 1;
    if (dryRun) return next;
    if (deletionTimestamp && !metadata.finalizers?.length) return this.#remove(type, next);
    return this.#put(type, next, old);
  }

  delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): KubeObject {
    const old = this.get(type, key);
    const { uid, resourceVersion } = options.preconditions ?? {};
    if (uid !== undefined && uid !== old.metadata.uid)
      throw this.#conflict(type, old, 'the uid in the precondition is another');
    if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
      throw this.#conflict(type, old, 'the resourceVersion in the precondition is another');
    }
    if (options.dryRun) return old;
    if (!old.metadata.finalizers?.length) return this.#remove(type, old);
    if (old.metadata.deletionTimestamp) return old;
    const deletionTimestamp = formatTime(this.#now());
    return this.#put(type, { ...old, metadata: { ...old.metadata, deletionTimestamp } }, old);
  }

  backup(): SimBackup {
    return new Map(Array.from(this.#objects, ([resource, objects]) => [resource, new Map(objects)]));
  }

  /** Restores an earlier state. No events are sent, and no earlier revision can be listed or watched from. */
  restore(backup: SimBackup): void {
    this.#objects.clear();
    for (const [resource, objects] of backup) this.#objects.set(resource, new Map(objects));
    this.#revision += 1_000;
    this.compact();
  }

  /** Compacts events up to a revision; up to now if not given. */
  compact(revision = this.#revision): void {
    this.#compacted = Math.max(this.#compacted, Math.min(revision, this.#revision));
    this.#history = this.#history.filter((event) => event.revision > this.#compacted);
  }

  onEvent(listener: (event: SimEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #put<T extends KubeObject>(type: ResourceType, object: T, previous: KubeObject | undefined): T {
    const kept = this.#stamp(object);
    this.#of(type).set(keyOf(kept), kept);
    this.#notify(previous ? 'MODIFIED' : 'ADDED', type, kept, previous);
    return kept;
  }

  #remove<T extends KubeObject>(type: ResourceType, object: T): T {
    const previous = this.#of(type).get(keyOf(object));
    this.#of(type).delete(keyOf(object));
    const last = this.#stamp(object);
    this.#notify('DELETED', type, last, previous);
    return last;
  }

  /** The object with the next revision. */
  #stamp<T extends KubeObject>(object: T): T {
    this.#revision += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } };
  }

  #notify(change: SimEvent['type'], type: ResourceType, object: KubeObject, previous: KubeObject | undefined): void {
    const event = { revision: this.#revision, type: change, resource: resourceOf(type), object, previous };
    this.#history.push(event);
    for (const listener of [...this.#listeners]) listener(event);
  }

  #of<T extends KubeObject>(type: ResourceType): Map<string, T> {
    return getOrCreate(this.#objects, resourceOf(type), () => new Map()) as Map<string, T>;
  }

  #conflict(type: ResourceType, object: KubeObject, why: string) {
    const name = object.metadata.name;
    return this.#refusal(
      409,
      'Conflict',
      type,
      name,
      why,
      `Operation cannot be fulfilled on ${resourceOf(type)} "${name}": ${why}`,
    );
  }

  #refusal(
    code: number,
    reason: 'NotFound' | 'AlreadyExists' | 'Conflict',
    type: ResourceType,
    name: string,
    why: string,
    message = `${resourceOf(type)} "${name}" ${why}`,
  ) {
    return apiError(code, reason, message, { name, group: type.group, kind: type.plural });
  }
}

/** Byte order of the key, as in the lists of a real server. */
const sorted = <T extends KubeObject>(objects: Iterable<T>): T[] =>
  [...objects].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));

/** Whether a write changes nothing: it does not increment the revision. */
const sameContent = (a: KubeObject, b: KubeObject): boolean =>
  same(
    { ...a, metadata: { ...a.metadata, resourceVersion: '' } },
    { ...b, metadata: { ...b.metadata, resourceVersion: '' } },
  );

/** As JSON: an undefined field is absent. Unchanged parts are the same objects, and are not compared deeply. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  for (const [name, value] of left) if (!same(value, right.get(name))) return false;
  for (const [name, value] of right) if (value !== undefined && left.get(name) === undefined) return false;
  return true;
}
