import type { InstrumentsOf, MetricsRegistry } from '@fairlead/kube';
import { metricDefinitions } from '../metric-definitions.ts';

/** What tells one Application from another of the same name that was there before. */
export interface MeasuredApplication {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Figures of one Application, as long as it is there. */
export interface ApplicationFigures {
  watched(images: number): void;
  /** The end of one look. */
  looked(result: {
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
 * The series of Applications. Those of one that is gone are deleted, and whoever still works for it writes to nothing: a look that was
 * begun before the deletion cannot bring them back.
 */
export class ApplicationMetrics {
  /** By namespace/name, the uid of who has it now. */
  readonly #known = new Map<string, MeasuredApplication>();
  readonly #metrics: InstrumentsOf<typeof metricDefinitions>;

  constructor(registry: MetricsRegistry) {
    this.#metrics = registry.create(metricDefinitions);
  }

  /** At the start of each cycle and tick: who is there now. What is gone is forgotten. */
  keepOnly(applications: readonly MeasuredApplication[]): void {
    const present = new Map(applications.map((application) => [keyOf(application), application]));
    for (const [key, known] of this.#known) {
      if (present.get(key)?.uid !== known.uid) this.#forget(key, known);
    }
    for (const [key, application] of present) this.#known.set(key, application);
    this.#metrics.applicationsWatched.set({}, present.size);
  }

  of(application: MeasuredApplication): ApplicationFigures {
    const { namespace, name: application_ } = application;
    const series = { application: application_, namespace };
    const whileThere = (write: () => void): void => {
      if (this.#known.get(keyOf(application))?.uid === application.uid) write();
    };
    return {
      watched: (images) => whileThere(() => this.#metrics.imagesWatched.set(series, images)),
      attempted: (at) => whileThere(() => this.#metrics.lastAttempt.set(series, at / 1000)),
      looked: ({ considered, skipped, updated, errors, startedAt, endedAt }) =>
        whileThere(() => {
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
