import {
  type ApiClient,
  Informer,
  type InformerOptions,
  isNotFound,
  type KubeObject,
  type ResourceType,
  withoutManagedFields,
} from '@fairlead/kube';
import type { Kinds } from '../kinds.ts';
import { idKey, type ResourceId, resourceIdOf } from '../resource-id.ts';
import { ownerOf } from '../tracking.ts';

export interface LiveStateOptions extends Omit<InformerOptions, 'transform' | 'store'> {
  /** Kinds that change all the time and that nobody keeps in Git are not watched, as `group/Kind`. */
  readonly excluded?: ReadonlySet<string>;
}

/** Told when an object of an Application came, changed or went; `app` is its name in tracking ids. */
export type LiveListener = (app: string, id: ResourceId) => void;

const defaultExcluded: ReadonlySet<string> = new Set([
  '/Event',
  'events.k8s.io/Event',
  '/Endpoints',
  'discovery.k8s.io/EndpointSlice',
  'coordination.k8s.io/Lease',
]);

interface Watched {
  readonly informer: Informer;
  readonly stop: AbortController;
}

/**
 * What a cluster holds, once, whoever asks: one watch a kind, and an index from each Application to its objects.
 *
 * - An object that belongs to an Application, or that one wants, is kept whole (without managedFields).
 * - Of any other only the identity and the owners are kept: in a large cluster that is nearly all of them.
 */
export class LiveState {
  readonly #client: ApiClient;
  readonly #options: LiveStateOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #listeners = new Set<LiveListener>();
  /** Objects that an Application wants though they are not marked as its own: kept whole from when they were first asked for. */
  readonly #wanted = new Map<string, KubeObject | undefined>();
  #kinds: Kinds | undefined;

  constructor(client: ApiClient, options: LiveStateOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  get size(): number {
    let size = 0;
    for (const { informer } of this.#watched.values()) size += informer.size;
    return size;
  }

  /** Kinds that are watched but have not been read through yet: of these, nothing can be said. */
  get unsynced(): string[] {
    return [...this.#watched].filter(([, { informer }]) => !informer.hasSynced).map(([kind]) => kind);
  }

  onChange(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Watches the kinds that the cluster has; those that it no longer has are let go. */
  follow(kinds: Kinds, signal: AbortSignal): void {
    this.#kinds = kinds;
    const excluded = this.#options.excluded ?? defaultExcluded;
    const wanted = new Map(kinds.watchable().map((type) => [`${type.group}/${type.kind}`, type]));
    for (const [kind, { stop }] of this.#watched) {
      if (wanted.has(kind)) continue;
      stop.abort();
      this.#watched.delete(kind);
    }
    for (const [kind, type] of wanted) {
      if (!this.#watched.has(kind) && !excluded.has(kind)) this.#watched.set(kind, this.#watch(type, signal));
    }
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ informer }) => informer.waitForSync(signal)));
  }

  /** All live objects of an Application. */
  objectsOf(app: string): KubeObject[] {
    const found: KubeObject[] = [];
    for (const { informer } of this.#watched.values()) found.push(...informer.byIndex('app', app));
    return found;
  }

  /**
   * The live object, whole, or undefined when there is none. An object that is known by its identity only, or not watched, is read
   * from the server, once.
   */
  async read(id: ResourceId, signal?: AbortSignal): Promise<KubeObject | undefined> {
    const watched = this.#watched.get(`${id.group}/${id.kind}`);
    const known = watched?.informer.get(id.namespace === '' ? id.name : `${id.namespace}/${id.name}`);
    if (watched?.informer.hasSynced && (!known || isWhole(known))) return known;
    const key = idKey(id);
    const kept = this.#wanted.get(key);
    if (known && kept && kept.metadata.resourceVersion === known.metadata.resourceVersion) return kept;
    const object = await this.#fetch(id, signal);
    this.#wanted.set(key, object);
    return object;
  }

  async #fetch({ group, kind, namespace, name }: ResourceId, signal?: AbortSignal): Promise<KubeObject | undefined> {
    const type = this.#kinds?.findAny(group, kind);
    if (!type) return undefined;
    try {
      return withoutManagedFields(
        await this.#client.get(type, type.namespaced ? { namespace, name } : { name }, signal ? { signal } : {}),
      );
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #watch(type: ResourceType, signal: AbortSignal): Watched {
    const stop = new AbortController();
    const informer = new Informer(
      this.#client,
      type,
      {},
      { ...this.#options, transform: (object) => this.#keep(object) },
    );
    informer.addIndex('app', appsOf);
    informer.addHandler({
      onAdd: (object) => this.#tell(object),
      onUpdate: (old, object) => this.#tell(old, object),
      onDelete: (object) => this.#tell(object),
    });
    void informer.run(AbortSignal.any([signal, stop.signal]));
    return { informer, stop };
  }

  #keep(object: KubeObject): KubeObject {
    const key = idKey(resourceIdOf(object));
    if (ownerOf(object) !== undefined) this.#wanted.delete(key);
    else if (!this.#wanted.has(key)) return identityOf(object);
    return withoutManagedFields(object);
  }

  #tell(...objects: readonly KubeObject[]): void {
    const apps = new Set(objects.flatMap(appsOf));
    const id = resourceIdOf(objects[0]!);
    for (const app of apps) for (const listener of this.#listeners) listener(app, id);
  }
}

const appsOf = (object: KubeObject): string[] => {
  const app = ownerOf(object);
  return app === undefined ? [] : [app];
};

const partial: unique symbol = Symbol('identity only');

function identityOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, ownerReferences } = metadata;
  const kept = {
    name,
    ...(namespace ? { namespace } : {}),
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(ownerReferences ? { ownerReferences } : {}),
  };
  return { apiVersion, kind, metadata: kept, [partial]: true } as KubeObject;
}

const isWhole = (object: KubeObject): boolean => !(partial in object);
