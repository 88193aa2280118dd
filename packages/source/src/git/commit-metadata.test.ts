import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommit } from './commit-metadata.ts';

test('a commit has an author, a date and a message', () => {
  const headers =
    'tree 1\nparent 2\nauthor Ann B. <ann@example.com> 1704164645 +0200\ncommitter X <x@example.com> 1 +0000';
  assert.deepEqual(parseCommit(`${headers}\n\nfirst line\n\nauthor of the body <b> 1 +0000\n`), {
    author: 'Ann B. <ann@example.com>',
    date: 1_704_164_645_000,
    message: 'first line\n\nauthor of the body <b> 1 +0000',
  });
});

test('a commit without a message or author is read all the same', () => {
  assert.deepEqual(parseCommit('tree 1'), { author: '', date: 0, message: '' });
});
