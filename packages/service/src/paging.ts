/** Iterates over the rows of a table in pages, by key: rows that are added or removed meanwhile do not shift a page. */
export async function* pages<T extends { readonly uid: string }>(
  read: (after: string) => Promise<readonly T[]>,
  signal: AbortSignal,
): AsyncIterable<T> {
  for (let after = ''; !signal.aborted; ) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.uid;
  }
}
