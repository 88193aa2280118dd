import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { aborted, onAbort, untilAborted } from './abort.ts';

test('onAbort calls back once when the signal aborts, and not after it was removed', () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => called.push('kept'));
  onAbort(controller.signal, () => called.push('taken back'))();
  assert.deepEqual(called, []);
  controller.abort();
  controller.abort();
  assert.deepEqual(called, ['kept']);
});

test('onAbort calls back at once if the signal is already aborted', () => {
  let calls = 0;
  onAbort(AbortSignal.abort(), () => (calls += 1))();
  assert.equal(calls, 1);
});

test('a wait for a signal ends with it, also if it is already aborted', async () => {
  const controller = new AbortController();
  let over = false;
  const waiting = aborted(controller.signal).then(() => (over = true));
  await new Promise(setImmediate);
  assert.equal(over, false);
  controller.abort();
  await waiting;
  await aborted(controller.signal);
});

test('many waits for one signal share one listener, and all end with it', async () => {
  const { signal, abort } = abortable();
  const waits = Array.from({ length: 100 }, () => untilAborted(new Promise<void>(() => {}), signal));
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  abort(new Error('stopping'));
  for (const result of await Promise.allSettled(waits)) {
    assert.match(result.status === 'rejected' ? String(result.reason) : 'it went on', /stopping/);
  }
});

test('a wait has the result of its promise, also if the signal aborts later', async () => {
  const { signal, abort } = abortable();
  const value = untilAborted(Promise.resolve('value'), signal);
  const failure = untilAborted(Promise.reject(new Error('no route')), signal);
  await assert.rejects(failure, /no route/);
  assert.equal(await value, 'value');
  abort();
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason?: Error) => controller.abort(reason) };
}
