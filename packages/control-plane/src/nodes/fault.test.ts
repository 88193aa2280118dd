import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fault, strikingFault } from './fault.ts';

const fault = (spec: Fault['spec']): Fault => ({
  apiVersion: 'sim.fairlead.dev/v1alpha1',
  kind: 'Fault',
  metadata: { name: 'f' },
  spec,
});
const noon = Date.parse('2026-01-01T12:00:00Z');
const always = () => 0;

test('a fault applies to its targets, in its time range, with its probability', () => {
  const crash = fault({ kind: 'crash-loop', selector: { matchLabels: { app: 'web' } }, namespaces: ['shop'] });
  const target = { namespace: 'shop', labels: { app: 'web' } };
  assert.equal(strikingFault([crash], 'crash-loop', target, noon, always), crash);
  assert.equal(strikingFault([crash], 'slow-pull', target, noon, always), undefined);
  assert.equal(strikingFault([crash], 'crash-loop', { ...target, namespace: 'other' }, noon, always), undefined);
  assert.equal(strikingFault([crash], 'crash-loop', { namespace: 'shop', labels: {} }, noon, always), undefined);

  const rare = fault({ kind: 'crash-loop', probability: 0.1 });
  assert.equal(
    strikingFault([rare], 'crash-loop', target, noon, () => 0.05),
    rare,
  );
  assert.equal(
    strikingFault([rare], 'crash-loop', target, noon, () => 0.5),
    undefined,
  );

  const timed = fault({ kind: 'node-down', window: { start: '2026-01-01T11:00:00Z', end: '2026-01-01T13:00:00Z' } });
  assert.equal(strikingFault([timed], 'node-down', {}, noon, always), timed);
  assert.equal(strikingFault([timed], 'node-down', {}, noon + 2 * 3_600_000, always), undefined);
});
