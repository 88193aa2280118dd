import { ApiError, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { type ApiClient, Informer, type InformerOptions } from '@fairlead/kube';
import type { Kinds } from '../kinds.ts';
import { idKey, type ResourceId, resourceIdOf } from '../resource-id.ts';
import { defaultTracker, type Tracker } from '../tracking.ts';
import { type HostInfo, hostsOf } from './hosts.ts';
import { isAlike, isWhole, lightened, lightInfo } from './light-object.ts';
import { LiveIndex } from './live-index.ts';
import { compacted } from './managed-fields.ts';
import { type NodeInfo, nodeInfoOf } from './node-info.ts';
import { readObject } from './read-object.ts';
import { defaultFilter, excludedIn, type IsExcluded } from './resource-filter.ts';
import { type HealthOf, imagesUnder, type ResourceNode, treeUnder } from './resource-tree.ts';

export interface LiveStateOptions extends Omit<InformerOptions, 'transform' | 'store' | 'onError'> {
  /** Kinds that are not watched: the defaults of Argo CD if not given. */
  readonly isExcluded?: IsExcluded;
  /** How objects are tracked. */
  readonly tracker?: Tracker;
  /** Only these namespaces are watched; all when empty. */
  readonly namespaces?: readonly string[];
  /** Whether cluster-scoped kinds are watched too where only some namespaces are. */
  readonly clusterResources?: boolean;
  /** A kind that may not be listed is dropped, and not requested again until the kinds are read again. */
  readonly respectRbac?: boolean;
  /** Labels whose values the resource tree shows. */
  readonly shownLabels?: readonly string[];
  /** Kinds that are cached in full even if they are not tracked. */
  readonly keepsWhole?: (object: KubeObject) => boolean;
  /** Whether a change of an object is relevant to its Application; all are if not given. */
  readonly isRelevantChange?: (old: KubeObject, object: KubeObject) => boolean | Promise<boolean>;
}

/** An object was added, changed or deleted. */
export interface LiveChange {
  readonly id: ResourceId;
  /** Applications that track the object, by their names in tracking ids. */
  readonly managedBy: readonly string[];
  /** Applications whose trees contain it, below one of their objects. */
  readonly partOf: readonly string[];
}

export type LiveListener = (change: LiveChange) => void;

/** A requested object is in a part of the cluster that may not be read. A retry does not help. */
export class OutsideNamespaces extends Error {
  readonly retriable = false;
}

interface Watched {
  readonly type: ResourceType;
  /** One, or one per namespace. */
  readonly informers: readonly Informer[];
  readonly stop: AbortController;
  /** Resolved when the server has refused the list request, or no longer serves the kind. */
  readonly refused: PromiseWithResolvers<void>;
}

/**
 * The objects of a cluster, shared by all callers: one watch per kind, and an index from each Application to its objects and their
 * dependents.
 *
 * - An object that belongs to an Application, or is a target of one, is cached in full (except its managedFields).
 * - Of any other object only the identity, the owners and what a tree shows are cached: in a large cluster that is nearly all of them.
 * - A kind that cannot be read does not block others; `forbidden` or `unsynced` lists it.
 */
export class LiveState {
  readonly tracker: Tracker;
  readonly isExcluded: IsExcluded;
  readonly #client: ApiClient;
  readonly #options: LiveStateOptions;
  readonly #index: LiveIndex;
  readonly #watched = new Map<string, Watched>();
  readonly #forbidden = new Map<string, { readonly message: string; readonly wasRead: boolean }>();
  readonly #listeners = new Set<LiveListener>();
  /** Target objects of an Application without its tracking id: cached in full from the first request. */
  readonly #requested = new Map<string, KubeObject | undefined>();
  #kinds: Kinds | undefined;

  constructor(client: ApiClient, options: LiveStateOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.tracker = options.tracker ?? defaultTracker;
    this.isExcluded = options.isExcluded ?? excludedIn('', defaultFilter);
    this.#index = new LiveIndex((object) => this.tracker.appOf(object));
  }

  get size(): number {
    return this.#index.size;
  }

  /** Kinds that are watched but not completely listed yet: their objects are not known. */
  get unsynced(): string[] {
    return [...this.#watched]
      .filter(([kind, { informers }]) => !this.#forbidden.has(kind) && informers.some(({ hasSynced }) => !hasSynced))
      .map(([kind]) => kind);
  }

  /** Kinds that may not be listed, with the error of the server. */
  get forbidden(): ReadonlyMap<string, string> {
    // A kind that has been listed since is permitted now, even if it has no objects.
    for (const [kind, { wasRead }] of this.#forbidden) {
      if (!wasRead && this.#watched.get(kind)?.informers.every(({ hasSynced }) => hasSynced))
        this.#forbidden.delete(kind);
    }
    return new Map([...this.#forbidden].map(([kind, { message }]) => [kind, message]));
  }

  get watchedKinds(): string[] {
    return [...this.#watched.keys()];
  }

  onChange(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Watches the kinds of the cluster, and stops watching those that were removed. */
  follow(kinds: Kinds, signal: AbortSignal): void {
    this.#kinds = kinds;
    const desired = new Map(
      kinds
        .watchable()
        .filter((type) => this.#isWatched(type))
        .map((type) => [`${type.group}/${type.kind}`, type]),
    );
    for (const [kind, { type, stop }] of this.#watched) {
      const now = desired.get(kind);
      // Served in another version or under another name: the cache was read in the old one. A refused list is retried.
      if (!now || now.version !== type.version || now.plural !== type.plural || stop.signal.aborted) this.#letGo(kind);
    }
    for (const [kind, type] of desired) if (!this.#watched.has(kind)) this.#watch(kind, type, signal);
  }

  #isWatched({ group, kind, namespaced }: ResourceType): boolean {
    const { namespaces = [], clusterResources = false } = this.#options;
    if (this.isExcluded(group, kind)) return false;
    return namespaced || namespaces.length === 0 || clusterResources;
  }

  #letGo(kind: string): void {
    const watched = this.#watched.get(kind);
    if (!watched) return;
    watched.stop.abort();
    // Nobody waits for a kind that is no longer served.
    watched.refused.resolve();
    this.#watched.delete(kind);
    this.#forbidden.delete(kind);
    for (const informer of watched.informers) {
      for (const object of informer.list()) {
        const change = this.#around(object);
        this.#index.remove(object);
        this.#notify(change);
      }
    }
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    await Promise.all(
      [...this.#watched.values()].map(({ informers, refused }) =>
        Promise.race([refused.promise, Promise.all(informers.map((informer) => informer.waitForSync(signal)))]),
      ),
    );
  }

  /** All live objects of an Application. */
  objectsOf(app: string): KubeObject[] {
    return this.#index.objectsOf(app);
  }

  /** The objects and all their dependents. */
  treeUnder(roots: readonly KubeObject[], healthOf?: HealthOf): ResourceNode[] {
    return treeUnder(this.#index, this.#known(roots), healthOf, this.#options.shownLabels);
  }

  /** The images of the pods among the objects and all their dependents. */
  imagesUnder(roots: readonly KubeObject[]): string[] {
    return imagesUnder(this.#index, this.#known(roots));
  }

  /** The Nodes that the pods of a tree run on, with these of their labels. */
  hostsOf(tree: readonly ResourceNode[], labels: readonly string[] = []): HostInfo[] {
    const own = new Set(tree.flatMap(({ group, kind, uid }) => (kind === 'Pod' && !group && uid ? [uid] : [])));
    if (own.size === 0) return [];
    const infoOf = (object: KubeObject): NodeInfo => lightInfo(object) ?? nodeInfoOf(object);
    const pods = this.#listOf('/Pod').map((pod) => ({ uid: pod.metadata.uid ?? '', ...infoOf(pod) }));
    const hosts = new Map(this.#listOf('/Node').map((node) => [node.metadata.name, infoOf(node).host]));
    return hostsOf(own, pods, (name) => hosts.get(name), labels);
  }

  #listOf(kind: string): KubeObject[] {
    return this.#watched.get(kind)?.informers.flatMap((informer) => informer.list()) ?? [];
  }

  /** The cached copy may be older or lighter than the given object, and has the same position. */
  #known(roots: readonly KubeObject[]): KubeObject[] {
    return roots.map((root) => this.#index.get(root.metadata.uid ?? '') ?? root);
  }

  /** Objects of a namespace without an Application and without an owner, except those that every namespace has. */
  orphansIn(namespace: string): KubeObject[] {
    return this.#index.rootsIn(namespace).filter((object) => !isFurniture(object) && !this.#index.appOf(object));
  }

  /**
   * The full live object, or undefined if it does not exist. An object that is only cached in part, or not watched, is read from the
   * server, once.
   */
  async read(id: ResourceId, signal?: AbortSignal): Promise<KubeObject | undefined> {
    this.#refuseOutside(id);
    const informer = this.#informerOf(id);
    const known = informer?.get(id.namespace === '' ? id.name : `${id.namespace}/${id.name}`);
    if (informer?.hasSynced && (!known || isWhole(known))) return known;
    const key = idKey(id);
    const kept = this.#requested.get(key);
    if (known && kept && kept.metadata.resourceVersion === known.metadata.resourceVersion) return kept;
    const object = await this.#fetch(id, signal);
    this.#requested.set(key, object);
    return object;
  }

  #refuseOutside({ kind, namespace, name }: ResourceId): void {
    const { namespaces = [], clusterResources = false } = this.#options;
    if (namespaces.length === 0 || (namespace === '' ? clusterResources : namespaces.includes(namespace))) return;
    throw new OutsideNamespaces(
      namespace === ''
        ? `Cluster level ${kind} "${name}" can not be managed when in namespaced mode: set clusterResources in the cluster's Secret, or take it from the source`
        : `Namespace "${namespace}" for ${kind} "${name}" is not managed: add it to namespaces in the cluster's Secret`,
    );
  }

  #informerOf({ group, kind, namespace }: ResourceId): Informer | undefined {
    const watched = this.#watched.get(`${group}/${kind}`);
    if (!watched) return undefined;
    const { namespaces = [] } = this.#options;
    return watched.informers.length === 1 && (namespaces.length === 0 || !watched.type.namespaced)
      ? watched.informers[0]
      : watched.informers[namespaces.indexOf(namespace)];
  }

  async #fetch(id: ResourceId, signal?: AbortSignal): Promise<KubeObject | undefined> {
    if (!this.#kinds) return undefined;
    const object = await readObject({ client: this.#client, kinds: this.#kinds }, id, signal ? { signal } : {});
    return object && compacted(object);
  }

  #watch(kind: string, type: ResourceType, signal: AbortSignal): void {
    const stop = new AbortController();
    const { namespaces = [] } = this.#options;
    const scopes = type.namespaced && namespaces.length > 0 ? namespaces.map((namespace) => ({ namespace })) : [{}];
    const options = {
      ...this.#options,
      transform: (object: KubeObject) => this.#keep(object),
      onError: (error: unknown) => this.#failed(kind, error),
    };
    const informers = scopes.map((scope) => new Informer(this.#client, type, scope, options));
    this.#watched.set(kind, { type, informers, stop, refused: Promise.withResolvers() });
    for (const informer of informers) {
      informer.addHandler({
        onAdd: (object) => this.#changed(undefined, object),
        onUpdate: (old, object) => this.#changed(old, object),
        onDelete: (object) => this.#gone(object),
      });
      void informer.run(AbortSignal.any([signal, stop.signal]));
    }
  }

  /** Forbidden kinds are retried with growing delays, unless the settings respect the refusal. */
  #failed(kind: string, error: unknown): void {
    if (!(error instanceof ApiError) || (error.code !== 403 && error.code !== 401)) return;
    const watched = this.#watched.get(kind);
    const wasRead = watched?.informers.every(({ hasSynced }) => hasSynced) ?? false;
    this.#forbidden.set(kind, { message: error.message, wasRead });
    watched?.refused.resolve();
    if (this.#options.respectRbac) watched?.stop.abort();
  }

  #keep(object: KubeObject): KubeObject {
    const key = idKey(resourceIdOf(object));
    if (this.#index.appOf(object) !== undefined) this.#requested.delete(key);
    else if (!this.#requested.has(key) && !this.#options.keepsWhole?.(object))
      return lightened(object, this.#options.shownLabels);
    return compacted(object);
  }

  #changed(old: KubeObject | undefined, object: KubeObject): void {
    const before = old && this.#around(old);
    this.#index.put(object);
    if (this.#forbidden.size > 0) this.#forbidden.delete(`${resourceIdOf(object).group}/${object.kind}`);
    const relevant = !old || this.#isRelevant(old, object);
    if (relevant === true) this.#notify(this.#around(object), before);
    else if (relevant) void relevant.then((yes) => yes && this.#notify(this.#around(object), before));
  }

  /** For a light object, only a change in the cached fields is relevant. */
  #isRelevant(old: KubeObject, object: KubeObject): boolean | Promise<boolean> {
    if (!isWhole(old) && !isWhole(object)) return !isAlike(old, object);
    return this.#options.isRelevantChange && isWhole(old) && isWhole(object)
      ? this.#options.isRelevantChange(old, object)
      : true;
  }

  #gone(object: KubeObject): void {
    const known = this.#index.get(object.metadata.uid ?? '') ?? object;
    const change = this.#around(known);
    this.#index.remove(known);
    this.#notify(change);
  }

  #around(object: KubeObject): LiveChange {
    const app = this.#index.appOf(object);
    const id = resourceIdOf(object);
    return app === undefined
      ? { id, managedBy: [], partOf: this.#index.appsAround(object) }
      : { id, managedBy: [app], partOf: [] };
  }

  #notify(change: LiveChange, before?: LiveChange): void {
    const managedBy = union(change.managedBy, before?.managedBy);
    const partOf = union(change.partOf, before?.partOf).filter((app) => !managedBy.includes(app));
    for (const listener of this.#listeners) listener({ id: change.id, managedBy, partOf });
  }
}

const union = (a: readonly string[], b: readonly string[] = []): readonly string[] =>
  b.length === 0 ? a : [...new Set([...b, ...a])];

/** Objects that the cluster creates in every namespace. */
function isFurniture({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): boolean {
  if (apiVersion !== 'v1') return false;
  if (kind === 'Service') return namespace === 'default' && name === 'kubernetes';
  return (kind === 'ServiceAccount' && name === 'default') || (kind === 'ConfigMap' && name === 'kube-root-ca.crt');
}
