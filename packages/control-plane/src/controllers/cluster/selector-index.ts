type Labels = Readonly<Record<string, string>>;

/** Selectors by namespace, indexed by their labels: an object is compared only with selectors that require one of its labels. */
export class SelectorIndex {
  readonly #keysOf = new Map<string, { place: string; matches(labels: Labels): boolean }>();
  readonly #places = new Map<string, Set<string>>();

  set(key: string, namespace: string, required: Labels, matches: (labels: Labels) => boolean): void {
    this.delete(key);
    const [first] = Object.entries(required);
    const place = first ? `${namespace}/${first[0]}=${first[1]}` : `${namespace}/`;
    this.#keysOf.set(key, { place, matches });
    const there = this.#places.get(place);
    if (there) there.add(key);
    else this.#places.set(place, new Set([key]));
  }

  delete(key: string): void {
    const known = this.#keysOf.get(key);
    if (!known) return;
    this.#keysOf.delete(key);
    const there = this.#places.get(known.place);
    there?.delete(key);
    if (there?.size === 0) this.#places.delete(known.place);
  }

  /** The keys of the selectors that match these labels. */
  selecting(namespace: string, labels: Labels = {}): string[] {
    const places = [`${namespace}/`, ...Object.entries(labels).map(([key, value]) => `${namespace}/${key}=${value}`)];
    return places.flatMap((place) =>
      [...(this.#places.get(place) ?? [])].filter((key) => this.#keysOf.get(key)!.matches(labels)),
    );
  }
}
