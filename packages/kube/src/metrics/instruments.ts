import {
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  type Registry as PromRegistry,
} from 'prom-client';
import { durationBuckets, type MetricDefinition } from './definitions.ts';
import { SeriesSet } from './series.ts';

export type Labels<L extends string> = Readonly<Record<L, string>>;

const configuration = ({ name, help, labels = [] }: MetricDefinition, registry: PromRegistry) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
});

/**
 * A metric of prom-client whose labels are checked by the compiler. It differs in two ways: a series exists only once it has a value, also
 * without labels, and series can be removed by some of their labels. The values are stored here and passed to prom-client when the metrics
 * are scraped, because prom-client hashes the labels at every write.
 */
abstract class Instrument<L extends string, T> {
  readonly definition: MetricDefinition;
  protected readonly series: SeriesSet<T>;

  constructor(definition: MetricDefinition, initial: () => T) {
    this.definition = definition;
    this.series = new SeriesSet(definition.labels ?? [], initial);
  }

  get isEmpty(): boolean {
    return this.series.isEmpty;
  }

  /** Removes every series with these labels: a deleted tenant must not stay in the metrics. */
  remove(labels: Partial<Labels<L>>): void {
    this.series.remove(labels);
  }
}

interface Scalar {
  current: number;
}

const zero = (): Scalar => ({ current: 0 });

export class Counter<L extends string = never> extends Instrument<L, Scalar> {
  constructor(definition: MetricDefinition, registry: PromRegistry) {
    super(definition, zero);
    const { series } = this;
    const collect = function (this: PromCounter): void {
      this.reset();
      for (const { labels, value } of series) this.inc(labels, value.current);
    };
    new PromCounter({ ...configuration(definition, registry), collect });
  }

  increase(labels: Labels<L>, by = 1): void {
    if (!(by >= 0)) throw new Error(`${this.definition.name}: a counter cannot decrease`);
    this.series.get(labels).current += by;
  }
}

export class Gauge<L extends string = never> extends Instrument<L, Scalar> {
  constructor(definition: MetricDefinition, registry: PromRegistry) {
    super(definition, zero);
    const { series } = this;
    const collect = function (this: PromGauge): void {
      this.reset();
      for (const { labels, value } of series) this.set(labels, value.current);
    };
    new PromGauge({ ...configuration(definition, registry), collect });
  }

  set(labels: Labels<L>, value: number): void {
    this.series.get(labels).current = value;
  }
}

interface Distribution {
  /** Per bucket, not cumulative; the last one has no upper bound. */
  readonly counts: number[];
  sum: number;
}

interface HistogramSample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** prom-client has no public method to set the buckets of a histogram. It reads them with this method, which is missing in its types. */
class HistogramReader extends PromHistogram {
  readonly getForPromString: () => Promise<object>;

  constructor(definition: MetricDefinition, registry: PromRegistry, samples: () => HistogramSample[]) {
    super(configuration(definition, registry));
    const { name, help, type } = definition;
    this.getForPromString = () => Promise.resolve({ name, help, type, values: samples(), aggregator: 'sum' });
  }
}

export class Histogram<L extends string = never> extends Instrument<L, Distribution> {
  readonly #upperBounds: readonly number[];

  constructor(definition: MetricDefinition, registry: PromRegistry) {
    const upperBounds = definition.buckets ?? durationBuckets;
    super(definition, () => ({ counts: new Array<number>(upperBounds.length + 1).fill(0), sum: 0 }));
    this.#upperBounds = upperBounds;
    new HistogramReader(definition, registry, () => this.#samples());
  }

  /** Ignores values that are not numbers: a failed measurement must not fail the measured work. */
  observe(labels: Labels<L>, value: number): void {
    if (!Number.isFinite(value)) return;
    const distribution = this.series.get(labels);
    let bucket = 0;
    while (value > (this.#upperBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  #samples(): HistogramSample[] {
    const { name } = this.definition;
    const samples: HistogramSample[] = [];
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
