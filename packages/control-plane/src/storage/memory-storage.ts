import type { Clock } from '@fairlead/kube';
import type { HistoryLimits } from './history.ts';
import type { Journal } from './journal.ts';
import { JournaledStorage } from './journaled-storage.ts';
import type { Storage } from './storage.ts';

/** The revision of an empty storage. Not 0: to clients that means `any`. */
export const firstRevision = 1;

const forgetful: Journal = {
  // As with a file: what one turn of the loop brought is published and answered together, which wakes each client once.
  soon: (run) => void setImmediate(run),
  append: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Keeps nothing beyond the process. */
export function openMemoryStorage(options: { readonly clock: Clock; readonly history?: HistoryLimits }): Storage {
  return new JournaledStorage(forgetful, { revision: firstRevision, objects: [] }, options);
}
