import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toJson } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { unifiedDiff } from './unified-diff.ts';

test('a changed line has three lines of context before and after', () => {
  const lines = { A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8 };
  assert.equal(
    unifiedDiff(lines, { ...lines, E: 50 }),
    '@@ -3,7 +3,7 @@\n  "B": 2,\n  "C": 3,\n  "D": 4,\n- "E": 5,\n+ "E": 50,\n  "F": 6,\n  "G": 7,\n  "H": 8\n',
  );
});

test('distant changes are two hunks', () => {
  const lines = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, at]));
  const text = unifiedDiff(lines, { ...lines, k0: -1, k19: -1 });
  assert.equal(text.match(/^@@/gm)?.length, 2);
});

test('equal values have no difference', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (drawn) => {
      const value = toJson(drawn);
      return unifiedDiff(value, structuredClone(value)) === '';
    }),
  );
});

test('the longest block of equal lines is matched first, even if another alignment has fewer changes', () => {
  assert.equal(
    unifiedDiff(['x', 'a', 'b', 'c', 'x', 'y', 'x'], ['y', 'x', 'a', 'b', 'c']),
    [
      '@@ -1,9 +1,7 @@',
      ' [',
      '+ "y",',
      '  "x",',
      '  "a",',
      '  "b",',
      '- "c",',
      '- "x",',
      '- "y",',
      '- "x"',
      '+ "c"',
      ' ]',
      '',
    ].join('\n'),
  );
});

test('in a long text, frequent lines do not influence the match', () => {
  const filler = Array.from({ length: 220 }, (_, at) => `line ${at}`);
  const nulls = Array.from({ length: 5 }, () => 'null');
  const before = [...filler, ...nulls, 'only', 'before'];
  const after = [...filler, 'only', ...nulls, 'after'];
  const removed = unifiedDiff(before, after).match(/^-.*null.*$/gmu) ?? [];
  assert.equal(removed.length, nulls.length);
});
