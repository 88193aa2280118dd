/**
 * Does something `count` times in batches of 1, 2, 4 … as long as all of a batch succeed: what fails for all is tried once, not
 * a thousand times. Throws the first failure after its batch has ended.
 */
export async function slowStart(count: number, run: (index: number) => Promise<void>): Promise<void> {
  for (let begun = 0, size = 1; begun < count; size *= 2) {
    const batch = Array.from({ length: Math.min(size, count - begun) }, (_, offset) => run(begun + offset));
    begun += batch.length;
    const failed = (await Promise.allSettled(batch)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
