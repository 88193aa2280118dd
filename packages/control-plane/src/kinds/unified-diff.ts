import { escapeHtml, type Json } from '@fairlead/apimachinery';
import { matchingBlocks } from './matching-blocks.ts';

type Mark = ' ' | '-' | '+';

interface Line {
  readonly mark: Mark;
  readonly text: string;
}

const context = 3;

/** The change between two values, as a unified diff of their indented JSON: appended to the error about an immutable struct. */
export function unifiedDiff(before: Json, after: Json): string {
  const lines = editScript(jsonLines(before), jsonLines(after));
  return hunksOf(lines)
    .map(([from, to]) => hunkText(lines, from, to))
    .join('');
}

const jsonLines = (value: Json): string[] => escapeHtml(JSON.stringify(value, undefined, 1)).split('\n');

/** The lines of both: lines outside of matching blocks are removed from the left or added from the right. */
function editScript(left: readonly string[], right: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (const { from, to, length } of [
    ...matchingBlocks(left, right),
    { from: left.length, to: right.length, length: 0 },
  ]) {
    for (const text of left.slice(i, from)) lines.push({ mark: '-', text });
    for (const text of right.slice(j, to)) lines.push({ mark: '+', text });
    for (const text of left.slice(from, from + length)) lines.push({ mark: ' ', text });
    [i, j] = [from + length, to + length];
  }
  return lines;
}

/** Ranges of lines around changes; adjacent ones are merged. */
function hunksOf(lines: readonly Line[]): [from: number, to: number][] {
  const hunks: [number, number][] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const from = Math.max(0, index - context);
    const to = Math.min(lines.length, index + context + 1);
    const last = hunks.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function hunkText(lines: readonly Line[], from: number, to: number): string {
  const shown = lines.slice(from, to);
  const range = (other: Mark): string => {
    const start = lines.slice(0, from).filter(({ mark }) => mark !== other).length;
    const length = shown.filter(({ mark }) => mark !== other).length;
    if (length === 1) return `${start + 1}`;
    return `${length === 0 ? start : start + 1},${length}`;
  };
  const body = shown.map(({ mark, text }) => `${mark}${text}\n`).join('');
  return `@@ -${range('+')} +${range('-')} @@\n${body}`;
}
