import type { MetricDefinition, MetricDefinitions } from './definitions.ts';
import { contentType, expositionOf } from './exposition.ts';
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

const namePattern = /^[a-zA-Z_:][\w:]*$/u;

/** The metrics of a process, in the Prometheus text format. There is one instrument per name, even if it is created repeatedly. */
export class MetricsRegistry {
  readonly contentType = contentType;
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
  text(): Promise<string> {
    for (const collect of this.#collectors) collect();
    const byName = [...this.#instruments].sort(([a], [b]) => (a < b ? -1 : 1));
    return expositionOf(byName.flatMap(([, instrument]) => (instrument.isEmpty ? [] : [instrument])));
  }

  #create(definition: MetricDefinition): AnyInstrument {
    const { name, type, labels = [] } = definition;
    const known = this.#instruments.get(name);
    if (!known) {
      if (!namePattern.test(name)) throw new Error(`Invalid metric name: ${name}`);
      const instrument = new instruments[type](definition);
      this.#instruments.set(name, instrument);
      return instrument;
    }
    const { type: knownType, labels: knownLabels = [] } = known.definition;
    if (knownType === type && knownLabels.join() === labels.join()) return known;
    throw new Error(`metric ${name} is already defined as a ${knownType} with the labels (${knownLabels.join(', ')})`);
  }
}
