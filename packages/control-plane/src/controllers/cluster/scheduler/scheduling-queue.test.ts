import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

function queueOn(clock: ManualClock) {
  let wakes = 0;
  const queue = new SchedulingQueue(clock, () => {
    wakes += 1;
  });
  const all = (): string[] => {
    const keys: string[] = [];
    for (let key = queue.take(); key; key = queue.take()) keys.push(key);
    return keys;
  };
  return { queue, all, wakes: () => wakes };
}

test('the pod of the highest priority is first, then the one that waited longest', () => {
  const clock = new ManualClock();
  const { queue, all } = queueOn(clock);
  queue.add('first', 0);
  clock.advance(10);
  queue.add('second', 0);
  queue.add('third', 0);
  queue.add('vip', 100);
  assert.deepEqual(all(), ['vip', 'first', 'second', 'third']);
});

test('an unschedulable pod waits for a relevant change', () => {
  const { queue, all } = queueOn(new ManualClock());
  for (const key of ['crowded', 'unbound', 'tainted']) queue.add(key, 0);
  all();
  queue.refused('crowded', new Set(['NodeResourcesFit']));
  queue.refused('unbound', new Set(['VolumeBinding']));
  queue.refused('tainted', new Set(['TaintToleration']));
  assert.deepEqual(all(), []);
  queue.happened('pod-removed');
  assert.deepEqual(all(), ['crowded']);
  queue.happened('volume');
  assert.deepEqual(all(), ['unbound']);
  queue.happened('pod-added');
  assert.deepEqual(all(), []);
  queue.happened('node');
  assert.deepEqual(all(), ['tainted']);
});

test('the back-off of an unschedulable pod grows up to 10 s', () => {
  const clock = new ManualClock();
  const { queue, all } = queueOn(clock);
  queue.add('p', 0);
  for (const wait of [0, 0, 4_000, 8_000, 10_000, 10_000]) {
    assert.deepEqual(all(), ['p']);
    queue.refused('p', new Set(['NodeResourcesFit']));
    queue.happened('pod-removed');
    if (wait > 0) {
      clock.advance(wait - 1);
      assert.deepEqual(all(), [], `before ${wait} ms`);
      clock.advance(1);
    }
  }
});

test('without any change an unschedulable pod is retried after five minutes', () => {
  const clock = new ManualClock();
  const { queue, all, wakes } = queueOn(clock);
  queue.add('p', 0);
  all();
  queue.refused('p', new Set(['NodeAffinity']));
  const before = wakes();
  clock.advance(5 * 60_000 - 1);
  assert.deepEqual(all(), []);
  clock.advance(1);
  assert.equal(wakes(), before + 1);
  assert.deepEqual(all(), ['p']);
});

test('a deleted pod is not returned from any queue', () => {
  const clock = new ManualClock();
  const { queue, all } = queueOn(clock);
  for (const key of ['ready', 'refused', 'failed']) queue.add(key, 0);
  queue.remove('ready');
  all();
  queue.refused('refused', new Set());
  queue.failed('failed');
  queue.remove('refused');
  queue.remove('failed');
  queue.happened('node');
  clock.advance(10 * 60_000);
  assert.deepEqual(all(), []);
  assert.equal(queue.size, 0);
});
