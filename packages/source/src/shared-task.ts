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
