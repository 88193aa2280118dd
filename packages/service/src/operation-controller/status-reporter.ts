import type { Application, ApplicationStatus } from '@fairlead/api';
import { keyOf } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import type { Database } from '../database/index.ts';
import { putApplicationState } from '../store/index.ts';
import { idLabel, type ObservedApplication, observedApplication } from './observed-application.ts';

interface Pending {
  readonly status: ApplicationStatus;
  readonly hash: string;
  readonly id: string;
}

/**
 * Stores the status of Applications in the database. A status is held only until it is stored; an Application without changes costs
 * nothing.
 */
export class StatusReporter {
  /** The last status from the watch, of Applications that are to be stored or were just delivered. */
  readonly #held = new Map<string, Pending>();
  readonly #unsent = new Set<string>();

  /** Takes the status out of an Application from the watch. `markChanged` or `markUnchanged` decides whether it is stored. */
  readonly take = (application: Application): ObservedApplication => {
    const key = keyOf(application);
    return observedApplication(application, (status, hash) => {
      this.#held.set(key, { status, hash, id: application.metadata.labels?.[idLabel] ?? '' });
    });
  };

  markChanged(key: string): void {
    this.#unsent.add(key);
  }

  markUnchanged(key: string): void {
    if (!this.#unsent.has(key)) this.#held.delete(key);
  }

  async store(db: Database, key: string, clock: Clock): Promise<void> {
    const pending = this.#held.get(key);
    if (!pending) return;
    const { status, hash, id } = pending;
    if (Object.keys(status).length > 0) {
      await putApplicationState(db, { uid: id, status, hash, now: new Date(clock.now()) });
    }
    if (this.#held.get(key) === pending) this.forget(key);
  }

  forget(key: string): void {
    this.#held.delete(key);
    this.#unsent.delete(key);
  }
}
