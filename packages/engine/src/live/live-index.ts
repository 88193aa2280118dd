import { type KubeObject, must } from '@fairlead/apimachinery';
import { groupOf } from '../resource-id.ts';
import { isWhole, lightInfo } from './light-object.ts';
import { claimPrefix, claimPrefixesOf, ownersOf } from './owners.ts';

/** The Application in the tracking id of an object. */
export type AppOf = (object: KubeObject) => string | undefined;

/**
 * The relations of the objects in a cluster: by uid, by Application, by owner and by namespace. It receives every object that is added,
 * changed or deleted; an object is never mutated.
 */
export class LiveIndex {
  readonly #appOf: AppOf;
  readonly #byUid = new Map<string, KubeObject>();
  readonly #byApp = new Map<string, Map<string, KubeObject>>();
  /** Uids by the key of their owner: its uid, or its kind and name, or the prefix of its claims. */
  readonly #children = new Map<string, Set<string>>();
  /** StatefulSets by the prefix of their claims. */
  readonly #claimants = new Map<string, string>();
  /** Objects without owners, by namespace: only after the first request. */
  #roots: Map<string, Set<string>> | undefined;

  constructor(appOf: AppOf) {
    this.#appOf = appOf;
  }

  get size(): number {
    return this.#byUid.size;
  }

  get(uid: string): KubeObject | undefined {
    return this.#byUid.get(uid);
  }

  put(object: KubeObject): void {
    const { uid = '' } = object.metadata;
    const old = this.#byUid.get(uid);
    if (old) this.#unlink(old);
    this.#byUid.set(uid, object);
    this.#link(object);
  }

  remove({ metadata: { uid = '' } }: KubeObject): void {
    const old = this.#byUid.get(uid);
    if (!old) return;
    this.#unlink(old);
    this.#byUid.delete(uid);
  }

  /** The Application in the tracking id of an object. An object with an owner belongs to that owner: its tracking id was only copied. */
  appOf(object: KubeObject): string | undefined {
    return ownersOf(object).length === 0 ? this.#appOf(object) : undefined;
  }

  objectsOf(app: string): KubeObject[] {
    return [...(this.#byApp.get(app)?.values() ?? [])];
  }

  get apps(): IterableIterator<string> {
    return this.#byApp.keys();
  }

  childrenOf(object: KubeObject): KubeObject[] {
    const found = new Set<KubeObject>();
    for (const key of [
      object.metadata.uid ?? '',
      nameKey(object),
      ...prefixesOf(object).map((one) => claimKey(object, one)),
    ]) {
      for (const uid of this.#children.get(key) ?? []) found.add(must(this.#byUid.get(uid), uid));
    }
    found.delete(object);
    return [...found];
  }

  parentsOf(object: KubeObject): KubeObject[] {
    const found = ownersOf(object).flatMap((owner) => {
      if (owner.uid !== '') return this.#byUid.get(owner.uid) ?? [];
      // Without a uid the owner is known by the key of its children.
      return this.#named.get(ownerKey(object, owner)) ?? [];
    });
    const prefix = isClaim(object) ? claimPrefix(object.metadata.name) : undefined;
    const claimant = prefix === undefined ? undefined : this.#claimants.get(claimKey(object, prefix));
    const set = claimant === undefined ? undefined : this.#byUid.get(claimant);
    return set ? [...found, set] : found;
  }

  /** Objects of kinds whose children refer to them by name. */
  readonly #named = new Map<string, KubeObject>();

  /** The Applications whose trees contain an object: those of its owners, and their owners. Owner reference cycles are followed once. */
  appsAround(object: KubeObject): string[] {
    const apps = new Set<string>();
    const seen = new Set<KubeObject>([object]);
    const queue = [object];
    for (let next = queue.pop(); next; next = queue.pop()) {
      const app = this.appOf(next);
      if (app !== undefined) apps.add(app);
      else
        for (const parent of this.parentsOf(next)) {
          if (!seen.has(parent)) queue.push(parent);
          seen.add(parent);
        }
    }
    return [...apps];
  }

  /** Objects of a namespace that have no owner. */
  rootsIn(namespace: string): KubeObject[] {
    this.#roots ??= this.#collectRoots();
    return [...(this.#roots.get(namespace) ?? [])].map((uid) => must(this.#byUid.get(uid), uid));
  }

  #collectRoots(): Map<string, Set<string>> {
    const roots = new Map<string, Set<string>>();
    for (const object of this.#byUid.values())
      if (isRoot(object)) include(roots, object.metadata.namespace ?? '', object);
    return roots;
  }

  #link(object: KubeObject): void {
    const { uid = '' } = object.metadata;
    const app = this.appOf(object);
    if (app !== undefined) {
      const own = this.#byApp.get(app) ?? new Map<string, KubeObject>();
      this.#byApp.set(app, own);
      own.set(uid, object);
    }
    for (const key of this.#ownerKeys(object)) include(this.#children, key, object);
    for (const prefix of prefixesOf(object)) this.#claimants.set(claimKey(object, prefix), uid);
    if (isNamedOwner(object)) this.#named.set(nameKey(object), object);
    if (this.#roots && isRoot(object)) include(this.#roots, object.metadata.namespace ?? '', object);
  }

  #unlink(object: KubeObject): void {
    const { uid = '' } = object.metadata;
    const app = this.appOf(object);
    if (app !== undefined) {
      const own = this.#byApp.get(app);
      own?.delete(uid);
      if (own?.size === 0) this.#byApp.delete(app);
    }
    for (const key of this.#ownerKeys(object)) exclude(this.#children, key, uid);
    for (const prefix of prefixesOf(object)) {
      if (this.#claimants.get(claimKey(object, prefix)) === uid) this.#claimants.delete(claimKey(object, prefix));
    }
    if (isNamedOwner(object) && this.#named.get(nameKey(object)) === object) this.#named.delete(nameKey(object));
    if (this.#roots && isRoot(object)) exclude(this.#roots, object.metadata.namespace ?? '', uid);
  }

  #ownerKeys(object: KubeObject): string[] {
    const keys = ownersOf(object).map((owner) => (owner.uid === '' ? ownerKey(object, owner) : owner.uid));
    const prefix = isClaim(object) && keys.length === 0 ? claimPrefix(object.metadata.name) : undefined;
    return prefix === undefined ? keys : [...keys, claimKey(object, prefix)];
  }
}

const isRoot = (object: KubeObject): boolean => ownersOf(object).length === 0;
const isClaim = ({ apiVersion, kind }: KubeObject): boolean => kind === 'PersistentVolumeClaim' && apiVersion === 'v1';
const isNamedOwner = ({ kind }: KubeObject): boolean => kind === 'Service' || kind === 'OperatorGroup';

const prefixesOf = (object: KubeObject): readonly string[] =>
  isWhole(object) ? claimPrefixesOf(object) : (lightInfo(object)?.claimPrefixes ?? []);

const nameKey = ({ apiVersion, kind, metadata: { namespace = '', name } }: KubeObject): string =>
  `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;
const ownerKey = (
  child: KubeObject,
  { apiVersion, kind, name }: { apiVersion: string; kind: string; name: string },
): string => `${groupOf(apiVersion)}/${kind}/${child.metadata.namespace ?? ''}/${name}`;
const claimKey = ({ metadata: { namespace = '' } }: KubeObject, prefix: string): string => `${namespace}/${prefix}`;

function include(index: Map<string, Set<string>>, key: string, { metadata: { uid = '' } }: KubeObject): void {
  const uids = index.get(key);
  if (uids) uids.add(uid);
  else index.set(key, new Set([uid]));
}

function exclude(index: Map<string, Set<string>>, key: string, uid: string): void {
  const uids = index.get(key);
  uids?.delete(uid);
  if (uids?.size === 0) index.delete(key);
}
