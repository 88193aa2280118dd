type Labels<L extends string> = Readonly<Record<L, string>>;

interface Series<V> {
  readonly labels: Readonly<Record<string, string>>;
  value: V;
}

/** What is written for one metric: its series by their labels. */
abstract class Metric<L extends string, V> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
  abstract readonly type: 'counter' | 'gauge' | 'histogram';
  readonly #series = new Map<string, Series<V>>();

  constructor(name: string, help: string, labelNames: readonly L[]) {
    if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name)) throw new Error(`'${name}' is no name for a metric`);
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
  }

  /** Forgets every series that has these labels: a tenant that is gone must not stay in the figures. */
  remove(labels: Partial<Labels<L>>): void {
    const wanted = Object.entries(labels);
    for (const [id, series] of this.#series) {
      if (wanted.every(([name, value]) => series.labels[name] === value)) this.#series.delete(id);
    }
  }

  lines(): string[] {
    if (this.#series.size === 0) return [];
    const head = [`# HELP ${this.name} ${escapeHelp(this.help)}`, `# TYPE ${this.name} ${this.type}`];
    return [...head, ...[...this.#series.values()].flatMap((series) => this.write(series.labels, series.value))];
  }

  protected abstract first(): V;
  protected abstract write(labels: Readonly<Record<string, string>>, value: V): string[];

  protected series(labels: Labels<L>): Series<V> {
    const id = this.labelNames.map((name) => labels[name]).join('\u0000');
    let series = this.#series.get(id);
    if (!series) {
      const own = Object.fromEntries(this.labelNames.map((name) => [name, labels[name]]));
      this.#series.set(id, (series = { labels: own, value: this.first() }));
    }
    return series;
  }
}

export class Counter<L extends string = never> extends Metric<L, number> {
  readonly type = 'counter';

  increase(labels: Labels<L>, by = 1): void {
    if (!(by >= 0)) throw new Error(`${this.name}: a counter does not go down`);
    this.series(labels).value += by;
  }

  protected first(): number {
    return 0;
  }

  protected write(labels: Readonly<Record<string, string>>, value: number): string[] {
    return [sample(this.name, labels, value)];
  }
}

export class Gauge<L extends string = never> extends Metric<L, number> {
  readonly type = 'gauge';

  set(labels: Labels<L>, value: number): void {
    this.series(labels).value = value;
  }

  protected first(): number {
    return 0;
  }

  protected write(labels: Readonly<Record<string, string>>, value: number): string[] {
    return [sample(this.name, labels, value)];
  }
}

interface Distribution {
  readonly counts: number[];
  count: number;
  sum: number;
}

/** Seconds, from a millisecond to ten minutes. */
export const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];

export class Histogram<L extends string = never> extends Metric<L, Distribution> {
  readonly type = 'histogram';
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, labelNames: readonly L[], bounds: readonly number[] = durationBuckets) {
    super(name, help, labelNames);
    this.#bounds = bounds;
  }

  observe(labels: Labels<L>, value: number): void {
    const { value: distribution } = this.series(labels);
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) distribution.counts[bucket]! += 1;
    distribution.count += 1;
    distribution.sum += value;
  }

  protected first(): Distribution {
    return { counts: this.#bounds.map(() => 0), count: 0, sum: 0 };
  }

  protected write(labels: Readonly<Record<string, string>>, { counts, count, sum }: Distribution): string[] {
    let upTo = 0;
    const buckets = this.#bounds.map((bound, i) => {
      upTo += counts[i]!;
      return sample(`${this.name}_bucket`, { ...labels, le: String(bound) }, upTo);
    });
    return [
      ...buckets,
      sample(`${this.name}_bucket`, { ...labels, le: '+Inf' }, count),
      sample(`${this.name}_sum`, labels, sum),
      sample(`${this.name}_count`, labels, count),
    ];
  }
}

/** All metrics of a process, in Prometheus' text format. A name is given out once; asking for it again gives the same metric. */
export class MetricsRegistry {
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #metrics = new Map<string, Metric<string, unknown>>();
  readonly #collectors: (() => void)[] = [];

  counter<L extends string = never>(name: string, help: string, labels: readonly L[] = []): Counter<L> {
    return this.#register(new Counter(name, help, labels));
  }

  gauge<L extends string = never>(name: string, help: string, labels: readonly L[] = []): Gauge<L> {
    return this.#register(new Gauge(name, help, labels));
  }

  histogram<L extends string = never>(
    name: string,
    help: string,
    labels: readonly L[] = [],
    bounds?: readonly number[],
  ): Histogram<L> {
    return this.#register(new Histogram(name, help, labels, bounds));
  }

  /** Runs before each reading: for figures that are cheaper to look up than to keep. */
  onRead(collect: () => void): void {
    this.#collectors.push(collect);
  }

  text(): string {
    for (const collect of this.#collectors) collect();
    const metrics = [...this.#metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return metrics
      .flatMap((metric) => metric.lines())
      .map((line) => `${line}\n`)
      .join('');
  }

  #register<M extends { name: string; type: string; labelNames: readonly string[] }>(metric: M): M {
    const known = this.#metrics.get(metric.name);
    if (!known) {
      this.#metrics.set(metric.name, metric as unknown as Metric<string, unknown>);
      return metric;
    }
    if (known.type !== metric.type || known.labelNames.join() !== metric.labelNames.join()) {
      throw new Error(`the metric '${metric.name}' exists as a ${known.type} of (${known.labelNames.join(', ')})`);
    }
    return known as unknown as M;
  }
}

function sample(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${formatted(value)}`;
}

function formatted(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
