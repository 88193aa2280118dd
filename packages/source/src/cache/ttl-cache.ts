import type { Clock } from '@fairlead/kube';
import { RepeatedTask } from '../tasks/shared-task.ts';

/** A failure is believed this long at most, so that a server that is down is not asked by every Application. */
const maxFailureMs = 10_000;
const maxKept = 10_000;

/** The value of a key, looked up once an interval for all who ask; `fresh` looks again. */
export type Believed<T> = (key: string, fresh: boolean, look: () => Promise<T>) => Promise<T>;

interface Entry<T> {
  look: () => Promise<T>;
  readonly task: RepeatedTask<T>;
  found?: { readonly result: Promise<T>; readonly until: number };
}

export function believing<T>(clock: Clock, intervalMs: number): Believed<T> {
  const entries = new Map<string, Entry<T>>();
  return (key, fresh, look) => {
    let entry = entries.get(key);
    if (entry) {
      entry.look = look;
      entries.delete(key);
    } else entry = newEntry(look);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxKept && oldest !== undefined) entries.delete(oldest);
    if (!fresh && entry.found && clock.now() < entry.found.until) return entry.found.result;
    return fresh ? entry.task.after() : entry.task.join();
  };

  function newEntry(look: () => Promise<T>): Entry<T> {
    const entry: Entry<T> = {
      look,
      task: new RepeatedTask(async () => {
        const result = entry.look();
        try {
          const value = await result;
          entry.found = { result, until: clock.now() + intervalMs };
          return value;
        } catch (error) {
          entry.found = { result, until: clock.now() + Math.min(intervalMs, maxFailureMs) };
          throw error;
        }
      }),
    };
    return entry;
  }
}
