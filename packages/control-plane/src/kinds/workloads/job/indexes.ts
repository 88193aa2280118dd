type Interval = readonly [first: number, last: number];

/** `1,3-5,7`: indexes of a Job. Throws with the message of kube-apiserver. */
export function parseIndexes(text: string, completions: number): Interval[] {
  const intervals: Interval[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = parseInterval(part, completions);
    const before = intervals.at(-1)?.[1];
    if (before !== undefined && before >= interval[0]) {
      throw new Error(`non-increasing order, previous: ${before}, current: ${interval[0]}`);
    }
    intervals.push(interval);
  }
  return intervals;
}

export const countOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split('-');
  if (limits.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    throw new Error(`the fragment ${JSON.stringify(text)} ${rule}`);
  }
  const [first = 0, last] = limits.map((limit) => {
    if (!/^[+-]?\d+$/.test(limit))
      throw new Error(`cannot convert string to integer for index: ${JSON.stringify(limit)}`);
    if (Number(limit) >= completions) throw new Error(`too large index: ${JSON.stringify(limit)}`);
    return Number(limit);
  });
  if (last === undefined) return [first, first];
  if (first >= last) throw new Error(`non-increasing order, previous: ${first}, current: ${last}`);
  return [first, last];
}

/** The first common index, if any. Invalid parts are another finding. */
export function firstOverlap(left: string, right: string, completions: number): number | undefined {
  const readable = (text: string): Interval[] =>
    (text === '' ? [] : text.split(',')).flatMap((part) => {
      try {
        return [parseInterval(part, completions)];
      } catch {
        return [];
      }
    });
  const found = readable(left).flatMap(([a, b]) =>
    readable(right).flatMap(([c, d]) => (a <= d && c <= b ? [Math.max(a, c)] : [])),
  );
  return found.length > 0 ? Math.min(...found) : undefined;
}
