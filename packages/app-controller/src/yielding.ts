/** Some milliseconds of work on one object each. */
const turnSize = 200;

/** Works on the items of a list that may be very long: after each few of them, other work of the process has its turn. */
export async function eachYielding<T>(
  items: readonly T[],
  work: (some: readonly T[], start: number) => void | Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += turnSize) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    await work(items.slice(start, start + turnSize), start);
  }
}
