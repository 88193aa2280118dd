import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aborted } from '@fairlead/kube';
import { ShutdownSequence, startTogether } from './shutdown-sequence.ts';

const never = new AbortController().signal;

test('what was started is stopped in the reverse order, and one that fails does not keep the others', async (t) => {
  const complaints = t.mock.method(console, 'error', () => {});
  const stopped: string[] = [];
  const told: string[] = [];
  const started = new ShutdownSequence();
  started.add('first', () => void stopped.push('first'));
  started.add('second', () => Promise.reject(new Error('it is stuck')));
  started.add('third', () => void stopped.push('third'));
  await started.stop((name) => told.push(name));
  assert.deepEqual(stopped, ['third', 'first']);
  assert.deepEqual(told, ['third', 'second', 'first']);
  assert.deepEqual(complaints.mock.calls[0]?.arguments, ['fairlead: second did not stop cleanly: it is stuck']);
  await started.stop();
  assert.equal(stopped.length, 2, 'each is stopped once');
});

test('something behind is stopped as far as it has come, and what fails for that reason is not told', async (t) => {
  const complaints = t.mock.method(console, 'error', () => {});
  const stopped: string[] = [];
  const told: string[] = [];
  const started = new ShutdownSequence();
  started.startInBackground('the demo', never, async (signal, parts) => {
    parts.add('one', () => void stopped.push('one'));
    await aborted(signal);
    parts.add('another', () => void stopped.push('another'));
    throw signal.reason;
  });
  await started.stop((name) => told.push(name));
  assert.deepEqual(stopped, ['another', 'one']);
  assert.deepEqual(told, ['the demo', 'another of the demo', 'one of the demo']);
  assert.equal(complaints.mock.callCount(), 0);
});

test('something behind that cannot start is told, and harms nothing else', async (t) => {
  const complaints = t.mock.method(console, 'error', () => {});
  const started = new ShutdownSequence();
  started.startInBackground('the demo', never, () => Promise.reject(new Error('no disk')));
  await new Promise(setImmediate);
  assert.deepEqual(complaints.mock.calls[0]?.arguments, ['fairlead: the demo did not start: no disk']);
  await started.stop();
});

test('what belongs together starts together or not at all', async () => {
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
