import { Registry } from 'prom-client';
import type { MetricDefinition, MetricDefinitions } from './definitions.ts';
import { Counter, Gauge, Histogram } from './instruments.ts';

type LabelsOf<D extends MetricDefinition> = D extends { readonly labels: readonly (infer L extends string)[] }
  ? L
  : never;

/** The instrument of a definition: a counter, a gauge or a histogram with its labels. */
export type InstrumentOf<D extends MetricDefinition> = D['type'] extends 'counter'
  ? Counter<LabelsOf<D>>
  : D['type'] extends 'gauge'
    ? Gauge<LabelsOf<D>>
    : Histogram<LabelsOf<D>>;

export type InstrumentsOf<T extends MetricDefinitions> = { readonly [K in keyof T]: InstrumentOf<T[K]> };

type AnyInstrument = Counter<string> | Gauge<string> | Histogram<string>;

const instruments = { counter: Counter<string>, gauge: Gauge<string>, histogram: Histogram<string> };

/** The metrics of a process, in the Prometheus text format. There is one instrument per name, even if it is created repeatedly. */
export class MetricsRegistry {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #registry = new Registry();
  readonly #instruments = new Map<string, AnyInstrument>();
  readonly #collectors: (() => void)[] = [];

  /** The instruments of a package's table of metrics. */
  create<T extends MetricDefinitions>(definitions: T): InstrumentsOf<T> {
    const created = Object.entries(definitions).map(([key, definition]) => [key, this.#create(definition)] as const);
    return Object.fromEntries(created) as InstrumentsOf<T>;
  }

  /** Runs before each scrape: for values that are cheaper to read than to maintain. */
  onRead(collect: () => void): void {
    this.#collectors.push(collect);
  }

  /** Metrics by name. A metric without series is omitted. */
  async text(): Promise<string> {
    for (const collect of this.#collectors) collect();
    const names = Array.from(this.#instruments, ([name, { isEmpty }]) => (isEmpty ? [] : [name])).flat();
    const texts = await Promise.all(names.sort().map((name) => this.#registry.getSingleMetricAsString(name)));
    return texts.map((text) => `${text}\n`).join('');
  }

  #create(definition: MetricDefinition): AnyInstrument {
    const { name, type, labels = [] } = definition;
    const known = this.#instruments.get(name);
    if (!known) {
      const instrument = new instruments[type](definition, this.#registry);
      this.#instruments.set(name, instrument);
      return instrument;
    }
    const { type: knownType, labels: knownLabels = [] } = known.definition;
    if (knownType === type && knownLabels.join() === labels.join()) return known;
    throw new Error(`metric ${name} is already defined as a ${knownType} with the labels (${knownLabels.join(', ')})`);
  }
}
