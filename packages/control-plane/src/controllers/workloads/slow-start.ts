/**
 * Runs the items in batches of 1, 2, 4 … as long as all of a batch succeed: an error that affects all is attempted once, not a thousand
 * times. Throws the first failure after its batch has ended.
 */
export async function slowStart<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  for (let started = 0, size = 1; started < items.length; size *= 2) {
    const batch = items.slice(started, started + size);
    started += batch.length;
    const failed = (await Promise.allSettled(batch.map(run))).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
