import {
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  type Registry as PromRegistry,
} from 'prom-client';
import { durationBuckets, type MetricDefinition } from './definitions.ts';
import { type LabelValues, SeriesSet } from './series.ts';

export type Labels<L extends string> = Readonly<Record<L, string>>;

/** What an instrument needs of prom-client's metric of its type. */
interface PromMetric {
  remove(labels: LabelValues): void;
}

/**
 * A metric of prom-client whose labels are checked by the compiler. It differs in two ways: a series exists only once it has a value, also
 * without labels, and series can be removed by some of their labels. Counters and gauges keep their values here and hand them to
 * prom-client when the metrics are read, because prom-client hashes the labels at every write.
 */
abstract class Instrument<L extends string, M extends PromMetric> {
  readonly definition: MetricDefinition;
  protected readonly metric: M;
  protected readonly series: SeriesSet;

  constructor(definition: MetricDefinition, metric: M, series: SeriesSet) {
    this.definition = definition;
    this.metric = metric;
    this.series = series;
    if ((definition.labels ?? []).length === 0) metric.remove({});
  }

  get isEmpty(): boolean {
    return this.series.isEmpty;
  }

  /** Removes every series that has these labels: a tenant that is gone must not stay in the metrics. */
  remove(labels: Partial<Labels<L>>): void {
    for (const series of this.series.remove(labels)) this.metric.remove(series);
  }
}

const configuration = ({ name, help, labels = [] }: MetricDefinition, registry: PromRegistry) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
});

export class Counter<L extends string = never> extends Instrument<L, PromCounter> {
  constructor(definition: MetricDefinition, registry: PromRegistry) {
    const series = new SeriesSet(definition.labels ?? []);
    const collect = function (this: PromCounter): void {
      this.reset();
      for (const { labels, value } of series) this.inc(labels, value);
      if (series.isEmpty) this.remove({});
    };
    super(definition, new PromCounter({ ...configuration(definition, registry), collect }), series);
  }

  increase(labels: Labels<L>, by = 1): void {
    if (!(by >= 0)) throw new Error(`${this.definition.name}: a counter cannot decrease`);
    this.series.add(labels).value += by;
  }
}

export class Gauge<L extends string = never> extends Instrument<L, PromGauge> {
  constructor(definition: MetricDefinition, registry: PromRegistry) {
    const series = new SeriesSet(definition.labels ?? []);
    const collect = function (this: PromGauge): void {
      this.reset();
      for (const { labels, value } of series) this.set(labels, value);
      if (series.isEmpty) this.remove({});
    };
    super(definition, new PromGauge({ ...configuration(definition, registry), collect }), series);
  }

  set(labels: Labels<L>, value: number): void {
    this.series.add(labels).value = value;
  }
}

export class Histogram<L extends string = never> extends Instrument<L, PromHistogram> {
  constructor(definition: MetricDefinition, registry: PromRegistry) {
    const buckets = [...(definition.buckets ?? durationBuckets)];
    const series = new SeriesSet(definition.labels ?? []);
    super(definition, new PromHistogram({ ...configuration(definition, registry), buckets }), series);
  }

  /** Ignores what is not a number: a failed measurement must not fail the measured work. */
  observe(labels: Labels<L>, value: number): void {
    if (Number.isFinite(value)) this.metric.observe(this.series.add(labels).labels, value);
  }
}
