import type { SortKey } from '../api/endpoints.ts';
import type { Filter } from './filter.ts';
import { propertyValues } from './properties.ts';
import { SortedOrder } from './sorted-order.ts';
import type { ApplicationRecord } from './summary.ts';
import { type IndexedValue, ValueIndex } from './value-index.ts';

/** An Application in the index. It stays the same object while the Application exists. */
export interface Entry {
  record: ApplicationRecord;
  values: readonly IndexedValue<Entry>[];
}

/** A part of a filter. `q` is not a property: it is never ignored. */
export interface Constraint {
  readonly property: string;
  /** At least as many as match. */
  readonly size: number;
  has(entry: Entry): boolean;
  entries(): Iterable<Entry>;
}

/** Whom a list is for. */
export interface Viewer {
  reach(project: string): 'all' | 'some' | 'none';
  allows(record: ApplicationRecord): boolean;
}

/** One of several: `key` is the same for those who see the same. */
export interface KeyedViewer extends Viewer {
  readonly key: string;
}

export const keyOfRecord = ({ summary: { namespace, name } }: ApplicationRecord): string => `${namespace}/${name}`;

/** All Applications, by each property that lists are filtered, counted or sorted by. */
export class ApplicationIndex {
  readonly values = new ValueIndex<Entry>();
  readonly #entries = new Map<string, Entry>();
  readonly #orders = new Map<SortKey, SortedOrder<Entry>>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Returns what was there before. */
  put(record: ApplicationRecord): ApplicationRecord | undefined {
    const key = keyOfRecord(record);
    const known = this.#entries.get(key);
    if (!known) {
      const entry: Entry = { record, values: [] };
      this.#entries.set(key, entry);
      this.#setValues(entry, record);
      for (const order of this.#orders.values()) order.add(entry);
      return undefined;
    }
    const before = known.record;
    const moved = [...this.#orders.values()].filter((order) => !order.isSame(before.summary, record.summary));
    for (const order of moved) order.remove(known);
    known.record = record;
    this.#setValues(known, record);
    for (const order of moved) order.add(known);
    return before;
  }

  remove(key: string): ApplicationRecord | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    for (const value of entry.values) this.values.remove(value, entry);
    for (const order of this.#orders.values()) order.remove(entry);
    return entry.record;
  }

  order(key: SortKey): SortedOrder<Entry> {
    const order = this.#orders.get(key) ?? new SortedOrder<Entry>(key, this.#entries.values());
    this.#orders.set(key, order);
    return order;
  }

  constraints({ alternatives, words }: Filter): Constraint[] {
    return [
      ...alternatives.map(({ property, values }) =>
        anyOf(
          property,
          values.flatMap((value) => [
            this.values.members(property, value) ?? [],
            ...(property === 'cluster' ? [this.values.members('server', value) ?? []] : []),
          ]),
        ),
      ),
      ...words.map((word) => anyOf('q', [this.values.containing(word)])),
    ];
  }

  /** Applications that match all constraints and that the viewer may see. Begins with the constraint that the fewest match. */
  select(constraints: readonly Constraint[], viewer: Viewer): Entry[] {
    const [first, ...others] = [...constraints].sort((a, b) => a.size - b.size);
    if (!first) return this.#visible(viewer);
    const selected: Entry[] = [];
    for (const entry of first.entries()) {
      if (others.every((other) => other.has(entry)) && viewer.allows(entry.record)) selected.push(entry);
    }
    return selected;
  }

  /** Whether the viewer may see every Application. */
  isAllVisible(viewer: Viewer): boolean {
    for (const { text } of this.values.values('project')) if (viewer.reach(text) !== 'all') return false;
    return true;
  }

  #visible(viewer: Viewer): Entry[] {
    const visible: Entry[] = [];
    for (const { text, members } of this.values.values('project')) {
      const reach = viewer.reach(text);
      if (reach === 'none') continue;
      for (const entry of members) if (reach === 'all' || viewer.allows(entry.record)) visible.push(entry);
    }
    return visible;
  }

  #setValues(entry: Entry, record: ApplicationRecord): void {
    const pairs = [...propertyValues(record)];
    const before = entry.values;
    const isSame =
      pairs.length === before.length &&
      pairs.every(([property, text], i) => before[i]?.property === property && before[i]?.text === text);
    if (isSame) return;
    entry.values = pairs.map(([property, text]) => this.values.add(property, text, entry));
    const kept = new Set(entry.values);
    for (const value of before) if (!kept.has(value)) this.values.remove(value, entry);
  }
}

function anyOf(property: string, sets: readonly (ReadonlySet<Entry> | readonly never[])[]): Constraint {
  const some = sets.filter((set): set is ReadonlySet<Entry> => set instanceof Set);
  return {
    property,
    size: some.reduce((sum, set) => sum + set.size, 0),
    has: (entry) => some.some((set) => set.has(entry)),
    *entries() {
      // The name and the server of one cluster are two sets with the same members.
      if (some.length === 1) return yield* some[0] ?? [];
      yield* new Set(some.flatMap((set) => [...set]));
    },
  };
}
