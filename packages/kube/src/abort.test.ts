import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aborted, onAbort } from './abort.ts';

test('it is called once when the signal aborts, and not when it was taken back', () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => called.push('kept'));
  onAbort(controller.signal, () => called.push('taken back'))();
  assert.deepEqual(called, []);
  controller.abort();
  controller.abort();
  assert.deepEqual(called, ['kept']);
});

test('it is called at once when the signal has aborted before', () => {
  let calls = 0;
  onAbort(AbortSignal.abort(), () => (calls += 1))();
  assert.equal(calls, 1);
});

test('waiting for a signal ends with it, also when it came first', async () => {
  const controller = new AbortController();
  let over = false;
  const waiting = aborted(controller.signal).then(() => (over = true));
  await new Promise(setImmediate);
  assert.equal(over, false);
  controller.abort();
  await waiting;
  await aborted(controller.signal);
});
