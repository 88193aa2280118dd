import type { Resource, ReviewResource } from './resource.ts';

/** The served resources: the built-in ones, and those that CRDs add and remove. */
export class Registry {
  readonly #builtin = new Map<string, Resource>();
  readonly #reviews = new Map<string, ReviewResource>();
  readonly #custom = new Map<string, Resource>();
  readonly #customOf = new Map<string, readonly Resource[]>();
  readonly #byStorage = new Map<string, Resource>();
  readonly #listeners: (() => void)[] = [];
  /** Incremented with every change: the cache key of discovery and OpenAPI. */
  generation = 0;

  constructor(builtin: readonly Resource[], reviews: readonly ReviewResource[]) {
    for (const resource of builtin) {
      this.#builtin.set(keyOf(resource.group, resource.version, resource.plural), resource);
      if (!resource.convert) this.#byStorage.set(resource.storage, resource);
    }
    for (const review of reviews) this.#reviews.set(keyOf(review.group, review.version, review.plural), review);
  }

  resource(group: string, version: string, plural: string): Resource | undefined {
    const key = keyOf(group, version, plural);
    return this.#builtin.get(key) ?? this.#custom.get(key);
  }

  review(group: string, version: string, plural: string): ReviewResource | undefined {
    return this.#reviews.get(keyOf(group, version, plural));
  }

  /** The resource in its storage version. */
  stored(storage: string): Resource | undefined {
    return this.#byStorage.get(storage);
  }

  /** Whether the group is built-in; paths of other groups that are not served do not exist. */
  isBuiltinGroup(group: string): boolean {
    const prefix = `${group}/`;
    for (const map of [this.#builtin, this.#reviews] as const) {
      for (const key of map.keys()) if (key.startsWith(prefix)) return true;
    }
    return false;
  }

  all(): Resource[] {
    return [...this.#builtin.values(), ...this.#custom.values()];
  }

  reviews(): ReviewResource[] {
    return [...this.#reviews.values()];
  }

  /** Replaces the resources of one CRD; an empty list removes them. */
  serve(crd: string, resources: readonly Resource[]): void {
    for (const resource of this.#customOf.get(crd) ?? []) {
      this.#custom.delete(keyOf(resource.group, resource.version, resource.plural));
      this.#byStorage.delete(resource.storage);
    }
    if (resources.length === 0) this.#customOf.delete(crd);
    else this.#customOf.set(crd, resources);
    for (const resource of resources) {
      this.#custom.set(keyOf(resource.group, resource.version, resource.plural), resource);
      if (!this.#byStorage.has(resource.storage) || !resource.convert) this.#byStorage.set(resource.storage, resource);
    }
    this.generation += 1;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

const keyOf = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`;
