/** Indexes of a Job as ranges, `0-3,7`: sorted, disjoint, and compact even for a hundred thousand. */
export class IndexSet {
  readonly #ranges: readonly (readonly [first: number, last: number])[];

  private constructor(ranges: readonly (readonly [number, number])[]) {
    this.#ranges = ranges;
  }

  static readonly empty = new IndexSet([]);

  static of(indexes: Iterable<number>): IndexSet {
    return IndexSet.#joined([...indexes].map((index) => [index, index]));
  }

  /** Ignores indexes from `completions` on, and invalid parts. */
  static parse(text: string | undefined, completions: number): IndexSet {
    const ranges: [number, number][] = [];
    for (const part of (text ?? '').split(',')) {
      const match = /^(\d+)(?:-(\d+))?$/.exec(part);
      if (!match || Number(match[1]) >= completions) continue;
      const first = Number(match[1]);
      ranges.push([first, Math.min(Number(match[2] ?? first), completions - 1)]);
    }
    return IndexSet.#joined(ranges);
  }

  static #joined(ranges: readonly (readonly [number, number])[]): IndexSet {
    const joined: [number, number][] = [];
    for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
      const before = joined.at(-1);
      if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else joined.push([first, last]);
    }
    return new IndexSet(joined);
  }

  get size(): number {
    return this.#ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  has(index: number): boolean {
    return this.#ranges.some(([first, last]) => first <= index && index <= last);
  }

  with(other: IndexSet): IndexSet {
    return other.#ranges.length === 0 ? this : IndexSet.#joined([...this.#ranges, ...other.#ranges]);
  }

  /** The number of common indexes. */
  common(other: IndexSet): number {
    let count = 0;
    for (const [first, last] of this.#ranges) {
      for (const [start, end] of other.#ranges) count += Math.max(0, Math.min(last, end) - Math.max(first, start) + 1);
    }
    return count;
  }

  /** The lowest missing ones below `end`, at most `count`. */
  missing(count: number, end: number): number[] {
    const found: number[] = [];
    let candidate = 0;
    for (const [first, last] of [...this.#ranges, [end, end] as const]) {
      for (; candidate < Math.min(first, end) && found.length < count; candidate += 1) found.push(candidate);
      candidate = Math.max(candidate, last + 1);
    }
    return found;
  }

  toString(): string {
    return this.#ranges
      .map(([first, last]) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
      .join(',');
  }
}
