import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Audience, type Watcher } from './watch-audience.ts';

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

function audienceOf(...readers: Reader[]): Audience {
  const audience = new Audience();
  for (const each of readers) audience.join(each);
  return audience;
}

const frame = (text: string): Buffer => Buffer.from(text);

test('what is told in one turn is one write to each, in its order, of the same bytes', async () => {
  const [one, two] = [reader(), reader()];
  const audience = audienceOf(one, two);
  for (const text of ['a', 'b']) audience.tell(frame(text));
  assert.deepEqual(one.text, [], 'not while more may come');
  await turn();
  assert.deepEqual([one.text, two.text], [['ab'], ['ab']]);
  assert.equal(one.writes[0]!.buffer, two.writes[0]!.buffer);
  await turn();
  audience.tell(frame('c'));
  await turn();
  assert.deepEqual(one.text, ['ab', 'c']);
});

test('what waits can be written at once, and is not written again', async () => {
  const one = reader();
  const audience = audienceOf(one);
  audience.tell(frame('last'));
  audience.flush();
  audience.flush();
  await turn();
  assert.deepEqual(one.text, ['last']);
});

test('whoever joins is told what comes after, whoever leaves what came before', async () => {
  const [stays, leaves, joins] = [reader(), reader(), reader()];
  const audience = audienceOf(stays, leaves);
  audience.tell(frame('a'));
  audience.join(joins);
  audience.tell(frame('b'));
  audience.leave(leaves);
  audience.tell(frame('c'));
  await turn();
  await turn();
  assert.deepEqual(
    [stays, leaves, joins].map(({ text }) => text.join('')),
    ['abc', 'ab', 'bc'],
  );
});

test('one that does not read hears that it is behind, may leave then and there, and keeps nobody waiting', async () => {
  const audience = new Audience();
  const slow = reader(() => audience.leave(slow), 1);
  const quick = reader();
  for (const each of [slow, quick]) audience.join(each);
  audience.tell(frame('a'));
  audience.flush();
  audience.tell(frame('b'));
  await turn();
  await turn();
  assert.deepEqual([slow.text, quick.text.join('')], [['a'], 'ab']);
});
