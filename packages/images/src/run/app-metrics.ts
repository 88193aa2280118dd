import type { MetricsRegistry } from '@fairlead/kube';

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

const prefix = 'argocd_image_updater';
const labels = ['application', 'namespace'] as const;

/**
 * The series of Applications. Those of one that is gone are deleted, and whoever still works for it writes to nothing: a look that was
 * begun before the deletion cannot bring them back.
 */
export class ApplicationMetrics {
  /** By namespace/name, the uid of who has it now. */
  readonly #known = new Map<string, MeasuredApplication>();
  readonly #total;
  readonly #watched;
  readonly #updated;
  readonly #errors;
  readonly #considered;
  readonly #skipped;
  readonly #duration;
  readonly #lastAttempt;
  readonly #lastSuccess;

  constructor(metrics: MetricsRegistry) {
    this.#total = metrics.gauge(`${prefix}_applications_watched_total`, 'Applications that are watched');
    this.#watched = metrics.gauge(`${prefix}_images_watched_total`, 'Images that are watched', labels);
    this.#updated = metrics.counter(`${prefix}_images_updated_total`, 'Images that were updated', labels);
    this.#errors = metrics.counter(`${prefix}_images_errors_total`, 'Errors while updating images', labels);
    this.#considered = metrics.counter(`${prefix}_images_considered_total`, 'Images that were looked at', labels);
    this.#skipped = metrics.counter(`${prefix}_images_skipped_total`, 'Images that were passed over', labels);
    this.#duration = metrics.histogram(
      `${prefix}_application_update_duration_seconds`,
      'How long one look takes',
      labels,
    );
    this.#lastAttempt = metrics.gauge(
      `${prefix}_application_last_attempt_timestamp`,
      'When the last look began, in seconds',
      labels,
    );
    this.#lastSuccess = metrics.gauge(
      `${prefix}_application_last_success_timestamp`,
      'When the last look without an error ended, in seconds',
      labels,
    );
  }

  /** At the start of each cycle and tick: who is there now. What is gone is forgotten. */
  keepOnly(applications: readonly MeasuredApplication[]): void {
    const present = new Map(applications.map((application) => [keyOf(application), application]));
    for (const [key, known] of this.#known) {
      if (present.get(key)?.uid !== known.uid) this.#forget(key, known);
    }
    for (const [key, application] of present) this.#known.set(key, application);
    this.#total.set({}, present.size);
  }

  of(application: MeasuredApplication): ApplicationFigures {
    const { namespace, name: application_ } = application;
    const series = { application: application_, namespace };
    const whileThere = (write: () => void): void => {
      if (this.#known.get(keyOf(application))?.uid === application.uid) write();
    };
    return {
      watched: (images) => whileThere(() => this.#watched.set(series, images)),
      attempted: (at) => whileThere(() => this.#lastAttempt.set(series, at / 1000)),
      looked: ({ considered, skipped, updated, errors, startedAt, endedAt }) =>
        whileThere(() => {
          this.#considered.increase(series, considered);
          this.#skipped.increase(series, skipped);
          this.#updated.increase(series, updated);
          this.#errors.increase(series, errors);
          this.#duration.observe(series, (endedAt - startedAt) / 1000);
          if (errors === 0) this.#lastSuccess.set(series, endedAt / 1000);
        }),
    };
  }

  #forget(key: string, { name: application, namespace }: MeasuredApplication): void {
    this.#known.delete(key);
    const series = { application, namespace };
    for (const metric of [
      this.#watched,
      this.#updated,
      this.#errors,
      this.#considered,
      this.#skipped,
      this.#duration,
      this.#lastAttempt,
      this.#lastSuccess,
    ]) {
      metric.remove(series);
    }
  }
}

const keyOf = ({ namespace, name }: MeasuredApplication): string => `${namespace}/${name}`;
