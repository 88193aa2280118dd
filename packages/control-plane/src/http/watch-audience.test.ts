import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { seededRandom } from '@fairlead/kube';
import { Audience, type Seat, type Watcher } from './watch-audience.ts';

interface Reader extends Watcher {
  readonly writes: Buffer[];
  readonly text: readonly string[];
}

function reader(behind = () => {}, highWaterMark = 1024): Reader {
  const writes: Buffer[] = [];
  const to = new Writable({
    highWaterMark,
    write(chunk: Buffer, _, done) {
      writes.push(chunk);
      setImmediate(done);
    },
  });
  return {
    to,
    behind,
    writes,
    get text() {
      return writes.map(String);
    },
  };
}

const frame = (text: string): Buffer => Buffer.from(text);

/** As many turns of the event loop as needed until nothing more is written. */
async function settled(...readers: Reader[]): Promise<string[]> {
  const written = (): number => readers.reduce((sum, { writes }) => sum + writes.length, 0);
  for (let before = -1; before !== written(); ) {
    before = written();
    for (let i = 0; i < 3; i++) await turn();
  }
  return readers.map(({ text }) => text.join(''));
}

test('frames published in one turn are one write of the same bytes to each watcher, in order', async () => {
  const audience = new Audience();
  const [one, two] = [reader(), reader()];
  for (const each of [one, two]) audience.join(each);
  for (const text of ['a', 'b']) audience.publish(frame(text));
  assert.deepEqual(one.text, [], 'not while more may come');
  await turn();
  assert.deepEqual([one.text, two.text], [['ab'], ['ab']]);
  assert.equal(one.writes[0]!.buffer, two.writes[0]!.buffer);
  await turn();
  audience.publish(frame('c'));
  await turn();
  assert.deepEqual(one.text, ['ab', 'c']);
});

test('pending frames of one watcher can be flushed, and are not written again', async () => {
  const audience = new Audience();
  const [one, other] = [reader(), reader()];
  const seat = audience.join(one);
  audience.join(other);
  audience.publish(frame('last'));
  seat.flush();
  seat.flush();
  assert.deepEqual([one.text, other.text], [['last'], []]);
  assert.deepEqual(await settled(one, other), ['last', 'last']);
});

test('a watcher receives the frames from when it joins until it leaves', async () => {
  const audience = new Audience();
  const [stays, leaves, joins] = [reader(), reader(), reader()];
  audience.join(stays);
  const seat = audience.join(leaves);
  audience.publish(frame('a'));
  audience.join(joins);
  audience.publish(frame('b'));
  seat.leave();
  audience.publish(frame('c'));
  seat.flush();
  seat.leave();
  assert.deepEqual(await settled(stays, leaves, joins), ['abc', 'ab', 'bc']);
});

test('a round of many watchers yields to the event loop; frames published meanwhile are included in the later writes', async () => {
  const audience = new Audience();
  const readers = Array.from({ length: 100 }, () => reader());
  for (const each of readers) audience.join(each);
  const countWith = (text: string): number => readers.filter((each) => each.text.join('') === text).length;

  audience.publish(frame('a'));
  await turn();
  const early = countWith('a');
  assert.ok(early > 0 && early < readers.length, `${early} received it in the first turn`);

  audience.publish(frame('b'));
  await settled(...readers);
  assert.equal(countWith('ab'), readers.length);
  assert.equal(readers.filter(({ writes }) => writes.length === 2).length, early);
});

test('in any order of joins, leaves, flushes and frames, each watcher receives all frames from its join to its leave', async () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = seededRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const audience = new Audience();
    const there: { readonly seat: Seat; readonly who: Reader; readonly from: number }[] = [];
    const expected: { readonly who: Reader; readonly text: string }[] = [];
    let published = '';
    for (let step = 0; step < 400; step++) {
      const what = below(10);
      if (what < 4) {
        const who = reader();
        there.push({ seat: audience.join(who), who, from: published.length });
      } else if (what < 5 && there.length > 0) {
        const [{ seat, who, from }] = there.splice(below(there.length), 1) as [(typeof there)[number]];
        seat.leave();
        expected.push({ who, text: published.slice(from) });
      } else if (what < 6 && there.length > 0) there[below(there.length)]!.seat.flush();
      else if (what < 8) {
        const text = `${step},`;
        audience.publish(frame(text));
        published += text;
      } else await turn();
    }
    for (const { who, from } of there) expected.push({ who, text: published.slice(from) });
    const texts = await settled(...expected.map(({ who }) => who));
    assert.deepEqual(
      texts,
      expected.map(({ text }) => text),
      `seed ${seed}`,
    );
  }
});

test('a watcher that does not read is notified that it is behind, may leave in that callback, and does not delay others', async () => {
  const audience = new Audience();
  const slow = reader(() => seat.leave(), 1);
  const quick = reader();
  const seat = audience.join(slow);
  audience.join(quick);
  audience.publish(frame('a'));
  await turn();
  audience.publish(frame('b'));
  assert.deepEqual(await settled(slow, quick), ['a', 'ab']);
});
