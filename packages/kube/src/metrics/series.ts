export type LabelValues = Readonly<Record<string, string>>;

/** One series: its labels, and the value of a counter or a gauge. */
export interface Series {
  readonly labels: LabelValues;
  value: number;
}

interface Level {
  readonly next: Map<string, Level>;
  series?: Series;
}

const newLevel = (): Level => ({ next: new Map() });

/**
 * The label sets of a metric's series, one level per label. Finding one allocates nothing, which matters where a metric is written for
 * every reconcile.
 */
export class SeriesSet {
  readonly #labelNames: readonly string[];
  #root = newLevel();

  constructor(labelNames: readonly string[]) {
    this.#labelNames = labelNames;
  }

  get isEmpty(): boolean {
    return this.#root.next.size === 0 && this.#root.series === undefined;
  }

  /** Adds the series if it is new. Its labels are in the order of their definition. */
  add(labels: LabelValues): Series {
    let level = this.#root;
    for (const name of this.#labelNames) {
      const value = labels[name] ?? '';
      let next = level.next.get(value);
      if (!next) level.next.set(value, (next = newLevel()));
      level = next;
    }
    return (level.series ??= { labels: this.#ordered(labels), value: 0 });
  }

  /** Removes the series that have these labels, and returns them. */
  remove(labels: Partial<LabelValues>): LabelValues[] {
    const removed: LabelValues[] = [];
    this.#prune(this.#root, 0, labels, removed);
    return removed;
  }

  /** Returns whether nothing is left in the level. */
  #prune(level: Level, depth: number, labels: Partial<LabelValues>, removed: LabelValues[]): boolean {
    if (level.series) {
      removed.push(level.series.labels);
      delete level.series;
      return true;
    }
    const name = this.#labelNames[depth];
    const value = name === undefined ? undefined : labels[name];
    const named = value === undefined ? undefined : level.next.get(value);
    const matching = value === undefined ? [...level.next] : named ? [[value, named] as const] : [];
    for (const [key, next] of matching) {
      if (this.#prune(next, depth + 1, labels, removed)) level.next.delete(key);
    }
    return level.next.size === 0;
  }

  *[Symbol.iterator](): Generator<Series> {
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
