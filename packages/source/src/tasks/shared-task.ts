/** Runs one task at a time per key: callers during a run share its result. */
export function sharedTask<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, run) => {
    const known = running.get(key);
    if (known) return known;
    const task = run().finally(() => running.delete(key));
    running.set(key, task);
    return task;
  };
}

/**
 * A task that runs repeatedly. `join` shares a run that is in progress; `after` returns a run that starts after the call, shared by all
 * callers until it starts.
 */
export class RepeatedTask<T> {
  readonly #run: () => Promise<T>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(run: () => Promise<T>) {
    this.#run = run;
  }

  join(): Promise<T> {
    return this.#running ?? this.#begin();
  }

  after(): Promise<T> {
    if (!this.#running) return this.#begin();
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        // Another run may have started in between; it also started after this call, so join it.
        return this.join();
      });
    return this.#next;
  }

  #begin(): Promise<T> {
    const running = this.#run().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}

/** Runs tasks one after another, in order. */
export function sequential(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const task = last.then(run);
    last = task.catch(() => {});
    return task;
  };
}
