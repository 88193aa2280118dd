import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { silentLogger } from '@fairlead/kube';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { EventReaper, Expiries, eventLifeMs } from './event-expiry.ts';

test('events expire in the order of their last write', () => {
  const expiries = new Expiries();
  expiries.set('a', '1', 10);
  expiries.set('b', '2', 20);
  expiries.set('a', '1', 30);
  assert.equal(expiries.next(), 20);
  assert.deepEqual(expiries.takeEnded(25, 10), [{ key: 'b', uid: '2' }]);
  expiries.delete('a');
  assert.equal(expiries.next(), undefined);
});

test('an event expires an hour after its last write', async () => {
  const clock = new ManualClock();
  const event = (name: string, lastTimestamp?: string): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: 'default', uid: name },
      lastTimestamp,
    }) as unknown as KubeObject;
  const removed: string[] = [];
  const reaper = new EventReaper(clock, silentLogger, async (key) => void removed.push(key));
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  reaper.replace([event('fresh', '2026-01-01T00:00:00Z'), event('old', '2025-12-31T23:30:00Z')]);
  reaper.seen(event('new'));
  reaper.seen(event('deleted'));
  reaper.gone(event('deleted'));
  await pass(eventLifeMs / 2);
  assert.deepEqual(removed, ['default/old']);
  reaper.seen(event('new'));
  await pass(eventLifeMs / 2);
  assert.deepEqual(removed, ['default/old', 'default/fresh']);
  await pass(eventLifeMs / 2);
  assert.deepEqual(removed, ['default/old', 'default/fresh', 'default/new']);
  await reaper.stop();
});
