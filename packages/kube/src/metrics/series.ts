export type LabelValues = Readonly<Record<string, string>>;

/** One series: its labels and its value. */
export interface Series<T> {
  readonly labels: LabelValues;
  readonly value: T;
}

interface Level<T> {
  readonly next: Map<string, Level<T>>;
  series?: Series<T>;
}

const newLevel = <T>(): Level<T> => ({ next: new Map() });

/**
 * The label sets of the series of a metric, one level per label. A lookup allocates nothing, which matters for metrics that are written for
 * every reconcile.
 */
export class SeriesSet<T> {
  readonly #labelNames: readonly string[];
  readonly #initial: () => T;
  readonly #root = newLevel<T>();

  constructor(labelNames: readonly string[], initial: () => T) {
    this.#labelNames = labelNames;
    this.#initial = initial;
  }

  get isEmpty(): boolean {
    return this.#root.next.size === 0 && this.#root.series === undefined;
  }

  /** The value of a series, which is created if it is new. Its labels are in the order of their definition. */
  get(labels: LabelValues): T {
    let level = this.#root;
    for (const name of this.#labelNames) {
      const value = labels[name] ?? '';
      let next = level.next.get(value);
      if (!next) level.next.set(value, (next = newLevel()));
      level = next;
    }
    return (level.series ??= { labels: this.#ordered(labels), value: this.#initial() }).value;
  }

  /** Removes the series with these labels. */
  remove(labels: Partial<LabelValues>): void {
    this.#prune(this.#root, 0, labels);
  }

  /** Returns whether the level is empty. */
  #prune(level: Level<T>, depth: number, labels: Partial<LabelValues>): boolean {
    if (level.series) {
      delete level.series;
      return true;
    }
    const name = this.#labelNames[depth];
    const value = name === undefined ? undefined : labels[name];
    const named = value === undefined ? undefined : level.next.get(value);
    const matching = value === undefined ? [...level.next] : named ? [[value, named] as const] : [];
    for (const [key, next] of matching) {
      if (this.#prune(next, depth + 1, labels)) level.next.delete(key);
    }
    return level.next.size === 0;
  }

  *[Symbol.iterator](): Generator<Series<T>> {
    const levels = [this.#root];
    for (let level = levels.pop(); level; level = levels.pop()) {
      if (level.series) yield level.series;
      levels.push(...[...level.next.values()].reverse());
    }
  }

  #ordered(labels: LabelValues): LabelValues {
    const ordered: Record<string, string> = {};
    for (const name of this.#labelNames) ordered[name] = labels[name] ?? '';
    return ordered;
  }
}
