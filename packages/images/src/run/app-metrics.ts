import type { InstrumentsOf, MetricsRegistry } from '@fairlead/kube';
import { metricDefinitions } from '../metric-definitions.ts';

/** The uid distinguishes an Application from an earlier one of the same name. */
export interface MeasuredApplication {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface UpdateResult {
  readonly considered: number;
  readonly skipped: number;
  readonly updated: number;
  readonly errors: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The series of one Application. Writes after its deletion are ignored. */
export interface ApplicationSeries {
  watched(images: number): void;
  attempted(at: number): void;
  ended(result: UpdateResult): void;
}

type Metrics = InstrumentsOf<typeof metricDefinitions>;

/**
 * The series of Applications. Those of a deleted Application are removed, and an update that started before the deletion cannot create
 * them again.
 */
export class ApplicationMetrics {
  /** The current Applications by namespace/name, with their series: these are written in every round. */
  readonly #known = new Map<string, { readonly uid: string; readonly series: ApplicationSeries }>();
  readonly #metrics: Metrics;

  constructor(registry: MetricsRegistry) {
    this.#metrics = registry.create(metricDefinitions);
  }

  /** Called at the start of each cycle and tick with the watched Applications; removes the series of the others. */
  keepOnly(applications: readonly MeasuredApplication[]): void {
    const present = new Map(applications.map((application) => [keyOf(application), application]));
    for (const [key, { uid }] of this.#known) {
      if (present.get(key)?.uid !== uid) this.#forget(key);
    }
    for (const [key, application] of present) {
      if (!this.#known.has(key))
        this.#known.set(key, { uid: application.uid, series: seriesOf(this.#metrics, application) });
    }
    this.#metrics.applicationsWatched.set({}, present.size);
  }

  of(application: MeasuredApplication): ApplicationSeries {
    const key = keyOf(application);
    const current = (): ApplicationSeries | undefined => {
      const known = this.#known.get(key);
      return known?.uid === application.uid ? known.series : undefined;
    };
    return {
      watched: (images) => current()?.watched(images),
      attempted: (at) => current()?.attempted(at),
      ended: (result) => current()?.ended(result),
    };
  }

  #forget(key: string): void {
    this.#known.delete(key);
    const [namespace = '', application = ''] = key.split('/');
    const labels = { application, namespace };
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
      metric.remove(labels);
    }
  }
}

function seriesOf(metrics: Metrics, { namespace, name }: MeasuredApplication): ApplicationSeries {
  const labels = { application: name, namespace };
  const attempted = metrics.lastAttempt.setter(labels);
  const succeeded = metrics.lastSuccess.setter(labels);
  const consider = metrics.imagesConsidered.increaser(labels);
  const skip = metrics.imagesSkipped.increaser(labels);
  const update = metrics.imagesUpdated.increaser(labels);
  const fail = metrics.imageErrors.increaser(labels);
  const took = metrics.updateDuration.observer(labels);
  return {
    watched: metrics.imagesWatched.setter(labels),
    attempted: (at) => attempted(at / 1000),
    ended({ considered, skipped, updated, errors, startedAt, endedAt }) {
      consider(considered);
      skip(skipped);
      update(updated);
      fail(errors);
      took((endedAt - startedAt) / 1000);
      if (errors === 0) succeeded(endedAt / 1000);
    },
  };
}

const keyOf = ({ namespace, name }: MeasuredApplication): string => `${namespace}/${name}`;
