/** Rows of a table, page after page, by their keys: no page is long, and what is added or removed meanwhile disturbs none. */
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
