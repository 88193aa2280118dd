/** Equal lines: `length` of them, from these indexes on the left and on the right. */
export interface Block {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** A part of each side, ends excluded. */
interface Range {
  readonly left: readonly [start: number, end: number];
  readonly right: readonly [start: number, end: number];
}

/** In a text of this length, lines with a frequency above one percent are not significant. */
const longText = 200;

/**
 * The common blocks of two texts, in order: the longest first, then recursively before and after it. This is how Python's difflib and its
 * port to Go match lines, not the shortest edit script.
 */
export function matchingBlocks(left: readonly string[], right: readonly string[]): Block[] {
  const positions = positionsOf(right);
  return blocksIn({ left: [0, left.length], right: [0, right.length] });

  function blocksIn({ left: [leftStart, leftEnd], right: [rightStart, rightEnd] }: Range): Block[] {
    const block = longest({ left: [leftStart, leftEnd], right: [rightStart, rightEnd] });
    if (block.length === 0) return [];
    const [leftNext, rightNext] = [block.from + block.length, block.to + block.length];
    return [
      ...blocksIn({ left: [leftStart, block.from], right: [rightStart, block.to] }),
      block,
      ...blocksIn({ left: [leftNext, leftEnd], right: [rightNext, rightEnd] }),
    ];
  }

  /** Of several that are equally long, the first on the left, and for it the first on the right. */
  function longest({ left: [leftStart, leftEnd], right: [rightStart, rightEnd] }: Range): Block {
    let best: Block = { from: leftStart, to: rightStart, length: 0 };
    let lengths = new Map<number, number>();
    for (let i = leftStart; i < leftEnd; i += 1) {
      const next = new Map<number, number>();
      for (const j of positions.get(left[i] ?? '') ?? []) {
        if (j < rightStart || j >= rightEnd) continue;
        const length = (lengths.get(j - 1) ?? 0) + 1;
        next.set(j, length);
        if (length > best.length) best = { from: i - length + 1, to: j - length + 1, length };
      }
      lengths = next;
    }
    return extended(best, { left: [leftStart, leftEnd], right: [rightStart, rightEnd] });
  }

  /** Frequent lines do not start a block, but extend an adjacent one. */
  function extended(block: Block, range: Range): Block {
    let { from, to, length } = block;
    while (from > range.left[0] && to > range.right[0] && left[from - 1] === right[to - 1]) {
      [from, to, length] = [from - 1, to - 1, length + 1];
    }
    while (
      from + length < range.left[1] &&
      to + length < range.right[1] &&
      left[from + length] === right[to + length]
    ) {
      length += 1;
    }
    return { from, to, length };
  }
}

/** The positions of each line, without the frequent lines of a long text. */
function positionsOf(lines: readonly string[]): Map<string, number[]> {
  const positions = Map.groupBy(lines.keys(), (index) => lines[index] ?? '');
  if (lines.length < longText) return positions;
  const limit = Math.floor(lines.length / 100) + 1;
  return new Map([...positions].filter(([, indexes]) => indexes.length <= limit));
}
