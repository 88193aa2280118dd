import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aborted } from '@fairlead/kube';
import { ShutdownSequence, startTogether } from './shutdown-sequence.ts';

const never = new AbortController().signal;

test('stops in reverse order, and continues after a failure', async (t) => {
  const errors = t.mock.method(console, 'error', () => {});
  const stopped: string[] = [];
  const names: string[] = [];
  const started = new ShutdownSequence();
  started.add('first', () => void stopped.push('first'));
  started.add('second', () => Promise.reject(new Error('it is stuck')));
  started.add('third', () => void stopped.push('third'));
  await started.stop((name) => names.push(name));
  assert.deepEqual(stopped, ['third', 'first']);
  assert.deepEqual(names, ['third', 'second', 'first']);
  assert.deepEqual(errors.mock.calls[0]?.arguments, ['fairlead: second did not stop cleanly: it is stuck']);
  await started.stop();
  assert.equal(stopped.length, 2, 'each is stopped once');
});

test('stopping a background start stops its parts, and its abort error is not printed', async (t) => {
  const errors = t.mock.method(console, 'error', () => {});
  const stopped: string[] = [];
  const names: string[] = [];
  const started = new ShutdownSequence();
  started.startInBackground('the demo', never, async (signal, parts) => {
    parts.add('one', () => void stopped.push('one'));
    await aborted(signal);
    parts.add('another', () => void stopped.push('another'));
    throw signal.reason;
  });
  await started.stop((name) => names.push(name));
  assert.deepEqual(stopped, ['another', 'one']);
  assert.deepEqual(names, ['the demo', 'another of the demo', 'one of the demo']);
  assert.equal(errors.mock.callCount(), 0);
});

test('a failed background start is printed and affects nothing else', async (t) => {
  const errors = t.mock.method(console, 'error', () => {});
  const started = new ShutdownSequence();
  started.startInBackground('the demo', never, () => Promise.reject(new Error('no disk')));
  await new Promise(setImmediate);
  assert.deepEqual(errors.mock.calls[0]?.arguments, ['fairlead: the demo did not start: no disk']);
  await started.stop();
});

test('startTogether starts all parts or none', async () => {
  const stopped: string[] = [];
  let followed: AbortSignal | undefined;
  const start = (fails: boolean) => async (signal: AbortSignal, parts: ShutdownSequence) => {
    followed = signal;
    parts.add('a server', () => void stopped.push('a server'));
    if (fails) throw new Error('its port is taken');
    return 'running';
  };
  await assert.rejects(startTogether(never, start(true)), /its port is taken/u);
  assert.deepEqual([stopped, followed?.aborted], [['a server'], true]);
  const { parts, end } = await startTogether(never, start(false));
  assert.deepEqual([parts, stopped.length, followed?.aborted], ['running', 1, false]);
  await end();
  assert.deepEqual([stopped.length, followed?.aborted], [2, true]);
});
