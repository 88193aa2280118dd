import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outbox, type Subject } from './outbox.ts';

const state = (uid: string): Subject => ({ about: 'state', kind: 'Application', name: uid, uid });
const abouts = (outbox: Outbox): string[] =>
  Array.from(outbox.subjects(), (subject) => ('uid' in subject ? `${subject.about} ${subject.uid}` : subject.about));
const small = (): Outbox => new Outbox({ random: () => 0, limit: 4 });

test('a full outbox keeps its entries, counts one overflow, and requests a resync when half of it is acknowledged', () => {
  const outbox = small();
  for (const uid of ['a', 'b', 'c', 'd', 'e', 'f']) outbox.enqueue(state(uid));
  assert.deepEqual(abouts(outbox), ['state a', 'state b', 'state c', 'state d']);
  assert.equal(outbox.overflows, 1);
  outbox.acknowledged(outbox.take(0)!.number);
  assert.equal(outbox.has({ about: 'list' }), false);
  outbox.acknowledged(outbox.take(0)!.number);
  assert.deepEqual(abouts(outbox), ['state c', 'state d', 'list', 'resync']);
  for (const uid of ['e', 'f', 'g']) outbox.enqueue(state(uid));
  assert.equal(outbox.overflows, 2, 'the resync request does not count against the limit');
});

test('an operation is enqueued in a full outbox, because a resync would not find it', () => {
  const outbox = small();
  for (const uid of ['a', 'b', 'c', 'd']) outbox.enqueue(state(uid));
  outbox.enqueue({ about: 'operation', name: 'x', uid: 'x' });
  assert.deepEqual(abouts(outbox).slice(-1), ['operation x']);
  assert.equal(outbox.overflows, 0);
  const busy = small();
  for (const uid of ['a', 'b', 'c', 'd', 'e']) busy.enqueue({ about: 'operation', name: uid, uid });
  busy.enqueue(state('a'));
  assert.equal(busy.has(state('a')), true, 'an operation may wait for exactly this state');
});

test('refused entries leave room for others, and are bounded too', () => {
  const outbox = small();
  for (let i = 0; i < 20; i++) {
    outbox.enqueue(state(`poison-${i}`));
    const entry = outbox.take(0);
    if (entry) outbox.refused(entry.number, 0);
  }
  assert.ok(outbox.size <= 10, `${outbox.size} entries`);
});

test('an entry is removed only by its own number; an entry added again has a new number', () => {
  const outbox = small();
  outbox.enqueue(state('a'));
  const first = outbox.take(0)!;
  outbox.enqueue(state('a'));
  assert.equal(outbox.acknowledged(first.number), undefined);
  assert.deepEqual(outbox.acknowledged(outbox.take(0)!.number), state('a'));
  assert.equal(outbox.size, 0);
});

test('an entry is sent again after 1 s, 2 s, 4 s … 2 min, and at once on a new connection', () => {
  const outbox = new Outbox({ random: () => 0 });
  outbox.enqueue(state('a'));
  const waits: number[] = [];
  let now = 0;
  for (let i = 0; i < 10; i++) {
    outbox.take(now);
    waits.push(outbox.nextDueIn(now)!);
    now += waits.at(-1)!;
    outbox.wake(now);
  }
  assert.deepEqual(
    waits,
    [1, 2, 4, 8, 16, 32, 64, 120, 120, 120].map((s) => s * 1_000),
  );
  outbox.take(now);
  assert.equal(outbox.take(now), undefined);
  outbox.reconnected();
  assert.notEqual(outbox.take(now), undefined);
  assert.equal(outbox.nextDueIn(now), 1_000);
});
