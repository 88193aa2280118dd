import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitDocuments } from './split-documents.ts';

const texts = (text: string): string[] => [...splitDocuments(text)].map((document) => document.text);

test('every document ends with a line break, so that a block scalar at its end keeps it', () => {
  assert.deepEqual(texts('a: |\n  x\n---\nb: |\n  y'), ['a: |\n  x\n', 'b: |\n  y\n']);
  assert.deepEqual(texts('a: |\n  x\n'), ['a: |\n  x\n']);
  assert.deepEqual(texts('a: |+\n  x\n\n---\nb: |+\n  y\n\n'), ['a: |+\n  x\n\n', 'b: |+\n  y\n\n']);
});

test('documents without content are left out', () => {
  assert.deepEqual(texts(''), []);
  assert.deepEqual(texts('\n\n'), []);
  assert.deepEqual(texts('a: 1\n---\n'), ['a: 1\n']);
});
