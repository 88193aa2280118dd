import type { Clock } from '@fairlead/kube';
import type { HistoryLimits } from './history.ts';
import type { Journal } from './journal.ts';
import { JournaledStorage } from './journaled-storage.ts';
import type { Storage } from './storage.ts';

/** The revision of an empty storage. Not 0: to clients that means `any`. */
export const firstRevision = 1;

const forgetful: Journal = {
  soon: (run) => queueMicrotask(run),
  append: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Keeps nothing beyond the process. Writes are published in a microtask. */
export function openMemoryStorage(options: { readonly clock: Clock; readonly history?: HistoryLimits }): Storage {
  return new JournaledStorage(forgetful, { revision: firstRevision, objects: [] }, options);
}
