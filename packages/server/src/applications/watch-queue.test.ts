import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fairlead/kube';
import { WatchQueue } from './watch-queue.ts';

test('what was there comes first, however much it is, then each change', async () => {
  const stop = new AbortController();
  const queue = new WatchQueue<number>(stop.signal);
  const count = 2 * limits.serverStreamEvents;
  for (let i = count - 1; i >= 0; i--) queue.push(i);
  queue.sort((a, b) => a - b);
  const received: number[] = [];
  for await (const event of queue) {
    received.push(event);
    if (event === 5) queue.push(count);
    if (event === count) stop.abort();
  }
  assert.equal(received.length, count + 1);
  assert.deepEqual(received.slice(0, 3), [0, 1, 2]);
});

test('the stream of a client that is too far behind ends', async () => {
  const queue = new WatchQueue<number>(new AbortController().signal);
  queue.push(0);
  let received = 0;
  for await (const _ of queue) {
    received += 1;
    if (received === 1) for (let i = 0; i < limits.serverStreamEvents + 10; i++) queue.push(i);
  }
  assert.ok(received < limits.serverStreamEvents);
});

test('a client that waits is woken by a change, and by the end of the connection', async () => {
  const stop = new AbortController();
  const queue = new WatchQueue<string>(stop.signal);
  const events = queue[Symbol.asyncIterator]();
  const next = events.next();
  queue.push('a');
  assert.deepEqual(await next, { value: 'a', done: false });
  const last = events.next();
  stop.abort();
  assert.equal((await last).done, true);
});
