import type { Application, ApplicationStatus } from '@fairlead/api';
import type { Clock } from '@fairlead/kube';
import type { Database } from '../database/index.ts';
import { putApplicationState } from '../store/index.ts';
import { type SeenApplication, seenApplication } from './seen-application.ts';

/**
 * What Applications say, on its way to the database. A status is held only until it is stored; of those that are, the hash is
 * remembered, so that a look which finds nothing new costs nothing.
 */
export class StatusUp {
  readonly #stored = new Map<string, string>();
  readonly #pending = new Map<
    string,
    { readonly status: ApplicationStatus; readonly hash: string; readonly id: string }
  >();

  /** Takes the status out of an Application that the watch brings. */
  readonly take = (application: Application): SeenApplication => {
    const { name, namespace } = application.metadata;
    const key = `${namespace}/${name}`;
    const seen = seenApplication(application, (status, hash) => {
      if (this.#stored.get(key) === hash) this.#pending.delete(key);
      else this.#pending.set(key, { status, hash, id: application.metadata.labels?.['databaseID'] ?? '' });
    });
    return seen;
  };

  hasNews(key: string): boolean {
    return this.#pending.has(key);
  }

  async store(db: Database, key: string, clock: Clock): Promise<void> {
    const pending = this.#pending.get(key);
    if (!pending) return;
    const { status, hash, id } = pending;
    if (Object.keys(status).length > 0) {
      await putApplicationState(db, { uid: id, status, hash, now: new Date(clock.now()) });
    }
    this.#stored.set(key, hash);
    if (this.#pending.get(key) === pending) this.#pending.delete(key);
  }

  forget(key: string): void {
    this.#stored.delete(key);
    this.#pending.delete(key);
  }
}
