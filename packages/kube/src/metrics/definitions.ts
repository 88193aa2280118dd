/**
 * A metric as data. Each package has its metrics in one table, `metricDefinitions`, from which the instruments are created
 * (`registry.create`) and the documentation is generated.
 */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** No labels if absent. */
  readonly labels?: readonly string[];
  /** Upper bounds of the buckets of a histogram; `durationBuckets` if absent. */
  readonly buckets?: readonly number[];
}

export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;

/** Keeps the literal types of the table, so that the compiler checks the labels of each use. */
export const defineMetrics = <const T extends MetricDefinitions>(definitions: T): T => definitions;

/** Seconds, from a millisecond to ten minutes. */
export const durationBuckets: readonly number[] = [
  0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600,
];
