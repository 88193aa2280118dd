export type LabelValues = Readonly<Record<string, string>>;

interface Level {
  readonly next: Map<string, Level>;
  labels?: LabelValues;
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
    return this.#root.next.size === 0 && this.#root.labels === undefined;
  }

  /** Adds the series if it is new. Its labels are in the order of their definition. */
  add(labels: LabelValues): LabelValues {
    let level = this.#root;
    for (const name of this.#labelNames) {
      const value = labels[name] ?? '';
      let next = level.next.get(value);
      if (!next) level.next.set(value, (next = newLevel()));
      level = next;
    }
    return (level.labels ??= this.#ordered(labels));
  }

  /** Removes the series that have these labels, and returns them. */
  remove(labels: Partial<LabelValues>): LabelValues[] {
    const removed: LabelValues[] = [];
    this.#prune(this.#root, 0, labels, removed);
    return removed;
  }

  /** Returns whether nothing is left in the level. */
  #prune(level: Level, depth: number, labels: Partial<LabelValues>, removed: LabelValues[]): boolean {
    if (level.labels) {
      removed.push(level.labels);
      delete level.labels;
      return true;
    }
    const name = this.#labelNames[depth];
    const value = name === undefined ? undefined : labels[name];
    for (const [key, next] of level.next) {
      if ((value === undefined || value === key) && this.#prune(next, depth + 1, labels, removed))
        level.next.delete(key);
    }
    return level.next.size === 0;
  }

  #ordered(labels: LabelValues): LabelValues {
    const ordered: Record<string, string> = {};
    for (const name of this.#labelNames) ordered[name] = labels[name] ?? '';
    return ordered;
  }
}
