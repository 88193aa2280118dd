/** Some milliseconds of work per object. */
const turnSize = 200;

/** Processes the items of a list that may be very long: after every few of them, it yields to other work of the process. */
export async function eachYielding<T>(
  items: readonly T[],
  work: (some: readonly T[], start: number) => void | Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += turnSize) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    await work(items.slice(start, start + turnSize), start);
  }
}

/** How long work may go on before it yields to other work of the process. */
const yieldMs = 20;

/** Yields to other work of the process when enough time has passed. For items that may take long. */
export class Yielding {
  #startedAt = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#startedAt < yieldMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#startedAt = performance.now();
  }
}
