/** Processes a few items at a time; yields the results in the order of the list, each as soon as it and all before it are complete. */
export async function* inOrder<S, R>(
  list: readonly S[],
  atATime: number,
  work: (item: S, index: number) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  const waiting = [...list.entries()];
  const start = (): void => {
    const next = waiting.shift();
    if (!next) return;
    const [index, item] = next;
    const result = work(item, index);
    running[index] = result;
    result.then(start, start);
  };
  for (let count = 0; count < atATime; count += 1) start();
  for (let index = 0; index < list.length; index += 1) {
    // Items before the next result in the list are started before it, so it always exists.
    yield await running[index]!;
  }
}
