import type { Application } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import type { ReconcileEnv } from '../reconcile-env.ts';

/** How long a cluster or a repository may be unreachable before a sync fails. */
const graceMs = 60_000;

/** Since when passes of Applications have failed for transient reasons. */
export class FailureGracePeriod {
  readonly #failing = new WeakMap<object, Map<string, number>>();

  /** A pass has failed; returns whether another should be attempted before the sync fails. */
  covers({ applications, clock }: ReconcileEnv, application: Application): boolean {
    const since = this.#failing.get(applications) ?? new Map<string, number>();
    this.#failing.set(applications, since);
    const began = since.get(keyOf(application)) ?? clock.now();
    since.set(keyOf(application), began);
    return clock.now() - began < graceMs;
  }

  reset({ applications }: ReconcileEnv, application: Application): void {
    this.#failing.get(applications)?.delete(keyOf(application));
  }
}
