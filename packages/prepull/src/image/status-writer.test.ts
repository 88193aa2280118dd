import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrePullImage } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { StatusWriter } from './status-writer.ts';

const clock = { now: () => 0, after: () => () => {} };
const { signal } = new AbortController();

const image = (resourceVersion: string, phase: 'InProgress' | 'Completed'): PrePullImage => ({
  apiVersion: 'kwarm.io/v1alpha1',
  kind: 'PrePullImage',
  metadata: { namespace: 'red', name: 'web', uid: 'u1', generation: 1, resourceVersion },
  spec: { image: 'one.test/web:1' },
  status: { phase },
});

/** Has written the phase Completed as version 5. */
async function writerAfterCompletion(): Promise<StatusWriter> {
  const patch: ApiClient['patch'] = async <T>() => image('5', 'Completed') as T;
  const writer = new StatusWriter({ patch }, clock);
  const computed = writer.of('red/web', image('4', 'InProgress'));
  writer.set(computed, { phase: 'Completed' });
  await writer.write('red/web', image('4', 'InProgress'), computed, signal);
  return writer;
}

test('a status that a former leader overwrites is written again', async () => {
  const writer = await writerAfterCompletion();
  assert.equal(writer.of('red/web', image('6', 'InProgress')).unwritten, true);
});

test('neither an outdated event nor a change beside the status causes a write', async () => {
  const writer = await writerAfterCompletion();
  assert.equal(writer.of('red/web', image('4', 'InProgress')).unwritten, false);
  assert.equal(writer.of('red/web', image('6', 'Completed')).unwritten, false);
});
