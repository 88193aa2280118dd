import type { InstrumentsOf, MetricsRegistry } from '@fairlead/kube';
import { metricDefinitions } from '../metric-definitions.ts';

/** The uid distinguishes an Application from an earlier one of the same name. */
export interface MeasuredApplication {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The series of one Application. Writes after its deletion are ignored. */
export interface ApplicationSeries {
  watched(images: number): void;
  ended(result: {
    readonly considered: number;
    readonly skipped: number;
    readonly updated: number;
    readonly errors: number;
    readonly startedAt: number;
    readonly endedAt: number;
  }): void;
  attempted(at: number): void;
}

/**
 * The series of Applications. Those of a deleted Application are removed, and an update that started before the deletion cannot create
 * them again.
 */
export class ApplicationMetrics {
  /** The current Application by namespace/name. */
  readonly #known = new Map<string, MeasuredApplication>();
  readonly #metrics: InstrumentsOf<typeof metricDefinitions>;

  constructor(registry: MetricsRegistry) {
    this.#metrics = registry.create(metricDefinitions);
  }

  /** Called at the start of each cycle and tick with the watched Applications; removes the series of the others. */
  keepOnly(applications: readonly MeasuredApplication[]): void {
    const present = new Map(applications.map((application) => [keyOf(application), application]));
    for (const [key, known] of this.#known) {
      if (present.get(key)?.uid !== known.uid) this.#forget(key, known);
    }
    for (const [key, application] of present) this.#known.set(key, application);
    this.#metrics.applicationsWatched.set({}, present.size);
  }

  of(application: MeasuredApplication): ApplicationSeries {
    const { namespace, name } = application;
    const series = { application: name, namespace };
    const ifPresent = (write: () => void): void => {
      if (this.#known.get(keyOf(application))?.uid === application.uid) write();
    };
    return {
      watched: (images) => ifPresent(() => this.#metrics.imagesWatched.set(series, images)),
      attempted: (at) => ifPresent(() => this.#metrics.lastAttempt.set(series, at / 1000)),
      ended: ({ considered, skipped, updated, errors, startedAt, endedAt }) =>
        ifPresent(() => {
          this.#metrics.imagesConsidered.increase(series, considered);
          this.#metrics.imagesSkipped.increase(series, skipped);
          this.#metrics.imagesUpdated.increase(series, updated);
          this.#metrics.imageErrors.increase(series, errors);
          this.#metrics.updateDuration.observe(series, (endedAt - startedAt) / 1000);
          if (errors === 0) this.#metrics.lastSuccess.set(series, endedAt / 1000);
        }),
    };
  }

  #forget(key: string, { name: application, namespace }: MeasuredApplication): void {
    this.#known.delete(key);
    const series = { application, namespace };
    for (const metric of [
      this.#metrics.imagesWatched,
      this.#metrics.imagesUpdated,
      this.#metrics.imageErrors,
      this.#metrics.imagesConsidered,
      this.#metrics.imagesSkipped,
      this.#metrics.updateDuration,
      this.#metrics.lastAttempt,
      this.#metrics.lastSuccess,
    ]) {
      metric.remove(series);
    }
  }
}

const keyOf = ({ namespace, name }: MeasuredApplication): string => `${namespace}/${name}`;
