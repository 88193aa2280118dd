import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { TimeSlices } from './time-slices.ts';

/** Works for this long, in short steps, and returns its name. */
function* working(ms: number, name: string): Generator<void, string> {
  for (let step = 0; step < ms; step++) {
    yield;
    for (const end = performance.now() + 1; performance.now() < end; );
  }
  return name;
}

test('many long computations do not block the event loop, and delay another lane by a few slices only', async () => {
  const slices = new TimeSlices();
  const ended: string[] = [];
  const run = async (lane: string, ms: number, name: string) =>
    void ended.push(await slices.run(lane, working(ms, name)));
  const lag = measureEventLoopLag();
  await Promise.all([
    ...Array.from({ length: 4 }, (_, i) => run('hostile', 300, `hostile-${i}`)),
    run('honest', 20, 'honest'),
  ]);
  assert.equal(ended[0], 'honest', ended.join());
  assert.equal(ended.length, 5);
  const blocked = lag.stop();
  assert.ok(blocked <= 100, `the event loop was blocked for ${blocked} ms`);
});

test('a computation that never ends fails, and those after it in the lane are run', async () => {
  const slices = new TimeSlices(200);
  const endless = (function* (): Generator<void, never> {
    for (;;) yield;
  })();
  const failed = assert.rejects(slices.run('a', endless), {
    reason: 'InvalidFilter',
    message: /longer than 0\.2 s \(limit imageSelectionMs\)/u,
  });
  assert.equal(await slices.run('b', working(1, 'other lane')), 'other lane');
  const next = slices.run('a', working(1, 'next'));
  await failed;
  assert.equal(await next, 'next');
});

test('an error of a computation is that of its result', async () => {
  const failing = (function* (): Generator<void, never> {
    yield;
    throw new RangeError('bad constraint');
  })();
  await assert.rejects(new TimeSlices().run('a', failing), RangeError);
});
