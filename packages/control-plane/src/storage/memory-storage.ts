import { type Clock, systemClock } from '@fairlead/kube';
import type { HistoryLimits } from './history.ts';
import type { Journal } from './journal.ts';
import { JournaledStorage } from './journaled-storage.ts';
import type { Storage } from './storage.ts';

/** The revision of an empty storage. Not 0, which means `any` for clients. */
export const firstRevision = 1;

const forgetful = (soon: Journal['soon']): Journal => ({
  soon,
  append: () => Promise.resolve(),
  repair: () => Promise.resolve(),
  explain: String,
  close: () => Promise.resolve(),
});

/**
 * Not persistent. As with a file, the writes of one turn of the event loop are published and acknowledged together, which wakes each client
 * once. With a custom clock, a simulation must settle without the event loop: there a write is published in a microtask.
 */
export function openMemoryStorage(options: { readonly clock: Clock; readonly history?: HistoryLimits }): Storage {
  const soon: Journal['soon'] =
    options.clock === systemClock ? (run) => void setImmediate(run) : (run) => queueMicrotask(run);
  return new JournaledStorage(forgetful(soon), { revision: firstRevision, objects: [] }, options);
}
