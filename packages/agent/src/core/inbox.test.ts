import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inbox } from './inbox.ts';

test('a message is a duplicate if it, or a newer one of its subject, was processed', () => {
  const inbox = new Inbox();
  inbox.done('e1', 'a', 5);
  assert.ok(inbox.knows('e1', 'a', 5) && inbox.knows('e1', 'a', 4));
  assert.ok(!inbox.knows('e1', 'a', 6) && !inbox.knows('e1', 'b', 1));
});

test('a restarted process numbers from the beginning: its messages are new', () => {
  const inbox = new Inbox();
  inbox.done('e1', 'a', 100);
  assert.ok(!inbox.knows('e2', 'a', 1));
  inbox.done('e2', 'a', 1);
  assert.ok(inbox.knows('e2', 'a', 1) && !inbox.knows('e2', 'a', 2));
});

test('beyond the limit, the least recently received subject is dropped', () => {
  const inbox = new Inbox(2);
  for (const subject of ['a', 'b', 'a', 'c']) inbox.done('e', subject, 1);
  assert.equal(inbox.size, 2);
  assert.ok(inbox.knows('e', 'a', 1) && !inbox.knows('e', 'b', 1));
});
