/** Runs all tasks with limited concurrency; yields each result as soon as it is ready. */
export async function* pooled<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const waiting = [...items];
  const running = new Map<T, Promise<{ item: T; result: R }>>();
  while (waiting.length > 0 || running.size > 0) {
    while (waiting.length > 0 && running.size < atOnce) {
      const item = waiting.shift()!;
      running.set(
        item,
        run(item).then((result) => ({ item, result })),
      );
    }
    const { item, result } = await Promise.race(running.values());
    running.delete(item);
    yield result;
  }
}
