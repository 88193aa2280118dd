import type { Application } from '@fairlead/api';
import { equalJson, getOrCreate } from '@fairlead/apimachinery';
import { TooManyWaits } from '@fairlead/kube';
import { singleSourceOf } from '../hydrator/hydrated-sources.ts';

/** The Application has changed, so that the sources that a reconcile waits for are obsolete. */
export class SourceWaitCanceled extends Error {
  constructor() {
    super('the Application has changed while its sources were read');
    this.name = 'SourceWaitCanceled';
  }
}

/** Whether a wait for sources ended for a reason that is no problem of the sources, so that no status or operation may report it. */
export const saysNothingOfSources = (error: unknown): boolean =>
  error instanceof SourceWaitCanceled || error instanceof TooManyWaits;

/** Reconciles that wait for sources. A change of the Application cancels them: a server that never answers must not delay its own fix. */
export class SourceWaits {
  readonly #waits = new Map<string, Set<(reason: Error) => void>>();

  /** Waits for sources of an Application, `namespace/name`. */
  async during<T>(key: string, promise: Promise<T>): Promise<T> {
    const { promise: canceled, reject } = Promise.withResolvers<never>();
    const waits = getOrCreate(this.#waits, key, () => new Set());
    waits.add(reject);
    try {
      return await Promise.race([promise, canceled]);
    } finally {
      waits.delete(reject);
      if (waits.size === 0) this.#waits.delete(key);
    }
  }

  cancel(key: string): void {
    for (const reject of this.#waits.get(key) ?? []) reject(new SourceWaitCanceled());
  }
}

/** Whether a change makes it pointless to wait for the old sources: others are configured, or nothing is deployed any more. */
export const endsSourceWait = (old: Application, application: Application): boolean =>
  application.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
  application.status?.operationState?.phase === 'Terminating' ||
  !equalJson(singleSourceOf(old.spec) ?? null, singleSourceOf(application.spec) ?? null) ||
  !equalJson(old.spec.sources ?? null, application.spec.sources ?? null) ||
  old.spec.project !== application.spec.project;
