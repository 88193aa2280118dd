/** Runs a task one at a time a key: who asks while it runs gets the result of the run under way. */
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
 * One task, again and again. `join` is content with a run that is under way; `after` wants one that begins after the call, and shares
 * it with all who ask until it begins.
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
        // Another may have begun between the end of that run and this: it began after the call too.
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

/** Tasks one after another, in the order of asking. */
export function inTurn(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const task = last.then(run);
    last = task.catch(() => {});
    return task;
  };
}
