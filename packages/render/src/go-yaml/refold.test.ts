import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refolded } from './refold.ts';

const cases: [text: string, again: string][] = [
  ['one line', 'one line'],
  ['a\nb', 'a\nb'],
  ['a\n\nb\n', 'a\n\nb\n'],
  ['a\n  b', 'a\n\n  b'],
  ['a\n\n  b\nc\n', 'a\n\n\n  b\nc\n'],
  ['a\n  b\n\n  c\n\nd', 'a\n\n  b\n\n  c\n\nd'],
  ['a\n b\n\n\n', 'a\n\n b\n\n\n'],
  ['a\n\n\n', 'a\n\n\n\n'],
  ['\n\na', '\n\na'],
  ['\n\na\nb', '\n\na\nb'],
];
for (const [text, again] of cases) test(JSON.stringify(text), () => assert.equal(refolded(text), again));
