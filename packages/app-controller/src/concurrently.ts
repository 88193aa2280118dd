import { elementAt } from '@fairlead/apimachinery';
/** Runs a function for each item with limited concurrency; the results are in the order of the items. */
export async function concurrently<T, R>(items: readonly T[], run: (item: T) => Promise<R>, atOnce = 20): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      results[i] = await run(elementAt(items, i));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
