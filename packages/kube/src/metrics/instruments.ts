import { durationBuckets, type MetricDefinition } from './definitions.ts';
import type { Sample } from './exposition.ts';
import { SeriesSet } from './series.ts';

export type Labels<L extends string> = Readonly<Record<L, string>>;

/**
 * A metric whose labels are checked by the compiler. A series exists only once it has a value, also without labels, and series can be
 * removed by some of their labels. The values are not kept in prom-client, which hashes the labels at every write.
 */
abstract class Instrument<L extends string, T> {
  readonly definition: MetricDefinition;
  protected readonly series: SeriesSet<T>;

  constructor(definition: MetricDefinition, initial: () => T) {
    this.definition = definition;
    this.series = new SeriesSet(definition.labels ?? [], initial);
  }

  abstract samples(): readonly Sample[];

  get isEmpty(): boolean {
    return this.series.isEmpty;
  }

  /** Finds a series once for many writes. The series exists from its first write on. */
  protected lookup(labels: Labels<L>): () => T {
    let found: T | undefined;
    return () => (found ??= this.series.get(labels));
  }

  /** Removes every series that has these labels: a tenant that is gone must not stay in the metrics. */
  remove(labels: Partial<Labels<L>>): void {
    this.series.remove(labels);
  }
}

interface Scalar {
  current: number;
}

abstract class ScalarInstrument<L extends string> extends Instrument<L, Scalar> {
  constructor(definition: MetricDefinition) {
    super(definition, () => ({ current: 0 }));
  }

  samples(): readonly Sample[] {
    return Array.from(this.series, ({ labels, value }) => ({ labels, value: value.current }));
  }
}

export class Counter<L extends string = never> extends ScalarInstrument<L> {
  increase(labels: Labels<L>, by = 1): void {
    this.#add(this.series.get(labels), by);
  }

  /** Increases one series. After `remove` it has no effect. */
  increaser(labels: Labels<L>): (by: number) => void {
    const value = this.lookup(labels);
    return (by) => this.#add(value(), by);
  }

  #add(value: Scalar, by: number): void {
    if (!(by >= 0)) throw new Error(`${this.definition.name}: a counter cannot decrease`);
    value.current += by;
  }
}

export class Gauge<L extends string = never> extends ScalarInstrument<L> {
  set(labels: Labels<L>, value: number): void {
    this.series.get(labels).current = value;
  }

  /** Sets one series. After `remove` it has no effect. */
  setter(labels: Labels<L>): (value: number) => void {
    const scalar = this.lookup(labels);
    return (value) => {
      scalar().current = value;
    };
  }
}

interface Distribution {
  /** Per bucket, not cumulative; the last one has no upper bound. */
  readonly counts: number[];
  sum: number;
}

export class Histogram<L extends string = never> extends Instrument<L, Distribution> {
  readonly #upperBounds: readonly number[];

  constructor(definition: MetricDefinition) {
    const upperBounds = definition.buckets ?? durationBuckets;
    super(definition, () => ({ counts: new Array<number>(upperBounds.length + 1).fill(0), sum: 0 }));
    this.#upperBounds = upperBounds;
  }

  /** Ignores what is not a number: a failed measurement must not fail the measured work. */
  observe(labels: Labels<L>, value: number): void {
    if (Number.isFinite(value)) this.#add(this.series.get(labels), value);
  }

  /** Observes values of one series. After `remove` it has no effect. */
  observer(labels: Labels<L>): (value: number) => void {
    const distribution = this.lookup(labels);
    return (value) => {
      if (Number.isFinite(value)) this.#add(distribution(), value);
    };
  }

  #add(distribution: Distribution, value: number): void {
    let bucket = 0;
    while (value > (this.#upperBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  samples(): readonly Sample[] {
    const { name } = this.definition;
    const samples: Sample[] = [];
    for (const { labels, value } of this.series) {
      let count = 0;
      value.counts.forEach((inBucket, index) => {
        count += inBucket;
        const le = this.#upperBounds[index] ?? '+Inf';
        samples.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: count });
      });
      samples.push({ metricName: `${name}_sum`, labels, value: value.sum });
      samples.push({ metricName: `${name}_count`, labels, value: count });
    }
    return samples;
  }
}
