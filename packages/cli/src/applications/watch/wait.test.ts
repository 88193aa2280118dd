import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { application, operationState, resource } from '../../../test/support/application.ts';
import { Waiter } from './wait.ts';
import { type WaitConditions, waitingFor } from './wait-conditions.ts';

const all: WaitConditions = { sync: true, health: true, operation: true, suspended: false, degraded: false };
const none: WaitConditions = { sync: false, health: false, operation: false, suspended: false, degraded: false };
const missing = (app: Parameters<typeof waitingFor>[0], conditions: WaitConditions, settled = true) =>
  waitingFor(app, conditions, { settled }).missing;

test('waits for the given conditions only', () => {
  const unwell = application({ status: { health: { status: 'Progressing' } } });
  assert.deepEqual(missing(application(), all), []);
  assert.deepEqual(missing(unwell, all), ['it is Progressing']);
  assert.deepEqual(missing(unwell, { ...none, sync: true }), []);
  const suspended = application({ status: { health: { status: 'Suspended' } } });
  assert.deepEqual(missing(suspended, { ...none, health: true }), ['it is Suspended']);
  assert.deepEqual(missing(suspended, { ...none, health: true, suspended: true }), []);
  assert.deepEqual(missing(application(), { ...none, degraded: true }), ['it is Healthy']);
  assert.deepEqual(missing(application({ operation: { sync: {} } }), all), ['an operation is running']);
  assert.deepEqual(
    missing(application({ status: { operationState: operationState() } }), { ...none, operation: true }),
    ['an operation is running'],
  );
});

test('a status of an older spec is ignored', () => {
  const moved = {
    ...application(),
    spec: { ...application().spec, source: { repoURL: 'https://example.com/other.git', path: 'web' } },
  };
  assert.deepEqual(missing(moved, { ...none, sync: true }), ['its status is older than its spec']);
  const asked = application({ metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } });
  assert.deepEqual(missing(asked, { ...none, sync: true }), ['its status is older than its spec']);
});

test('with selected objects, only these count', () => {
  const app = application({ status: { sync: { status: 'OutOfSync' } } });
  const selected = waitingFor(app, all, { settled: true, objects: [resource('Service', 'web')] });
  assert.deepEqual(selected.missing, []);
});

test('a status from before the end of the operation counts only after a moment', async () => {
  const clock = new VirtualClock();
  const finishedAt = new Date(clock.now()).toISOString();
  const behind = application({
    status: {
      operationState: operationState({ phase: 'Succeeded', finishedAt }),
      reconciledAt: '2029-12-31T23:59:00Z',
    },
  });
  const waiter = new Waiter(all, clock);
  assert.equal(waiter.update(behind), 'waiting');
  await clock.advance(3_000);
  assert.equal(waiter.update(behind), 'met');
  const fresh = application({ status: { ...behind.status, reconciledAt: finishedAt } });
  assert.equal(new Waiter(all, clock).update(fresh), 'met');
});

test('Degraded ends the wait if it lasts and nothing is in progress', async () => {
  const clock = new VirtualClock();
  const degraded = application({ status: { health: { status: 'Degraded' } } });
  const waiter = new Waiter(all, clock);
  assert.equal(waiter.update(degraded), 'waiting');
  await clock.advance(4_000);
  assert.equal(waiter.update(application({ status: { health: { status: 'Progressing' } } })), 'waiting');
  assert.equal(waiter.update(degraded), 'waiting');
  await clock.advance(4_000);
  assert.equal(waiter.update(degraded), 'waiting', 'it was Progressing in between');
  await clock.advance(1_000);
  assert.equal(waiter.update(degraded), 'degraded');
  const mending = application({ status: { health: { status: 'Degraded' } }, operation: { sync: {} } });
  assert.equal(new Waiter({ ...all, operation: false }, clock).update(mending), 'waiting');
});

test('an invalid spec ends the wait once it has lasted a moment, regardless of the status', async () => {
  const clock = new VirtualClock();
  const conditions = [{ type: 'InvalidSpecError', message: 'application repo x is not permitted' }];
  const invalid = application({ status: { ...application().status, conditions } });
  const waiter = new Waiter(all, clock);
  assert.equal(waiter.update(invalid), 'waiting');
  await clock.advance(5_000);
  assert.equal(waiter.update(invalid), 'invalid');
  assert.deepEqual(waiter.last.missing, ['its spec is invalid']);
  assert.equal(new Waiter({ ...none, operation: true }, clock).update(invalid), 'met', 'the operation has ended');
  assert.equal(new Waiter(all, clock).update({ ...invalid, operation: { sync: {} } }), 'waiting');
});
