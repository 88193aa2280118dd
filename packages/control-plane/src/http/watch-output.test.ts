import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { WatchOutputs } from './watch-output.ts';

function socket() {
  const writes: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      writes.push(chunk);
      done();
    },
  });
  return {
    stream,
    writes,
    get text() {
      return writes.map(String);
    },
  };
}
const frame = (text: string): Buffer => Buffer.from(text);

test('what comes in one turn is one write, in its order, and the same bytes for all who wait for the same', async () => {
  const outputs = new WatchOutputs();
  const [one, two, three] = [socket(), socket(), socket()];
  const [a, b] = [frame('a'), frame('b')];
  const all = [one, two, three].map(({ stream }) =>
    outputs.to(
      () => stream,
      () => {},
    ),
  );
  for (const output of all) output.add(a);
  for (const output of all.slice(0, 2)) output.add(b);
  assert.deepEqual(one.text, [], 'not while more may come');
  await turn();
  assert.deepEqual([one.text, two.text, three.text], [['ab'], ['ab'], ['a']]);
  assert.equal(one.writes[0]!.buffer, two.writes[0]!.buffer);
  all[0]!.add(frame('c'));
  await turn();
  assert.deepEqual(one.text, ['ab', 'c']);
});

test('what waits can be written at once, and is not written again', async () => {
  const { stream, writes } = socket();
  const output = new WatchOutputs().to(
    () => stream,
    () => {},
  );
  output.add(frame('last'));
  output.flush();
  output.flush();
  await turn();
  assert.deepEqual(writes.map(String), ['last']);
});

test('whoever is gone is written to no more, and others are', async () => {
  const outputs = new WatchOutputs();
  const { stream, writes } = socket();
  let seen = 0;
  const gone = outputs.to(
    () => null,
    () => assert.fail('nothing was written'),
  );
  const here = outputs.to(
    () => stream,
    () => {
      seen += 1;
    },
  );
  gone.add(frame('a'));
  here.add(frame('a'));
  await turn();
  assert.deepEqual([writes.length, seen], [1, 1]);
});
