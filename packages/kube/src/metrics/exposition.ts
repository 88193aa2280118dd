import type { MetricDefinition } from './definitions.ts';

/** One line of a metric; its name is that of the metric, unless it is a part of a histogram. */
export interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export interface ExposedMetric {
  readonly definition: MetricDefinition;
  samples(): readonly Sample[];
}

export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The metrics in the Prometheus text format, in the given order. prom-client writes it, and is loaded by the first scrape: commands that
 * serve no metrics start without it.
 */
export async function expositionOf(metrics: readonly ExposedMetric[]): Promise<string> {
  const { Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  /** prom-client reads the samples of a metric with this method, which its types leave out. */
  class Reader extends Gauge {
    readonly getForPromString: () => Promise<object>;

    constructor({ definition: { name, help, type }, samples }: ExposedMetric) {
      super({ name, help, registers: [registry] });
      this.getForPromString = () => Promise.resolve({ name, help, type, values: samples(), aggregator: 'sum' });
    }
  }
  const texts = metrics.map((metric) => {
    new Reader({ definition: metric.definition, samples: () => metric.samples() });
    return registry.getSingleMetricAsString(metric.definition.name);
  });
  return (await Promise.all(texts)).map((text) => `${text}\n`).join('');
}
