import { getOrCreate } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { RepeatedTask } from '../tasks/shared-task.ts';

/** A failure is cached for a shorter time. It still protects a server that is down from a request by every Application. */
const maxFailureMs = 10_000;
const maxEntries = 10_000;

/** The value of a key, loaded at most once per interval for all callers. `fresh` loads it again. */
export type TtlCache<T> = (key: string, fresh: boolean, load: () => Promise<T>) => Promise<T>;

interface Entry<T> {
  load: () => Promise<T>;
  readonly task: RepeatedTask<T>;
  cached?: { readonly result: Promise<T>; readonly until: number };
}

export function createTtlCache<T>(clock: Clock, intervalMs: number): TtlCache<T> {
  const entries = new Map<string, Entry<T>>();
  return (key, fresh, load) => {
    const entry = getOrCreate(entries, key, () => newEntry(load));
    entry.load = load;
    // The most recently used entry is the last.
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    if (!fresh && entry.cached && clock.now() < entry.cached.until) return entry.cached.result;
    return fresh ? entry.task.after() : entry.task.join();
  };

  function newEntry(load: () => Promise<T>): Entry<T> {
    const entry: Entry<T> = {
      load,
      task: new RepeatedTask(async () => {
        const result = entry.load();
        try {
          const value = await result;
          entry.cached = { result, until: clock.now() + intervalMs };
          return value;
        } catch (error) {
          entry.cached = { result, until: clock.now() + Math.min(intervalMs, maxFailureMs) };
          throw error;
        }
      }),
    };
    return entry;
  }
}
