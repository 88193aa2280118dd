import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@fairlead/apimachinery';
import { stuckResources, withDifferenceRules } from './difference-rules.ts';

const resource = (status: string): JsonObject => ({ kind: 'ConfigMap', namespace: 'web', name: 'a', status });
const observed = (sync: string, ...resources: JsonObject[]): JsonObject => ({ sync: { status: sync }, resources });
const applied: JsonObject = {
  ...observed('OutOfSync', resource('OutOfSync')),
  operationState: { phase: 'Succeeded', syncResult: { resources: [resource('Synced')] } },
};

test('a resource that no sync can change may be Synced in Fairlead', () => {
  const stuck = stuckResources([applied]);
  const expected = withDifferenceRules(
    observed('OutOfSync', resource('OutOfSync')),
    observed('Synced', resource('Synced')),
    stuck,
  );
  assert.deepEqual(expected['sync'], { status: 'Synced' });
  assert.deepEqual(expected['resources'], [resource('Synced')]);
});

test('an Application that is OutOfSync for another reason must be OutOfSync', () => {
  const recorded = observed('OutOfSync', resource('Unknown'));
  const { sync } = withDifferenceRules(recorded, observed('Synced', resource('Unknown')), stuckResources([applied]));
  assert.deepEqual(sync, { status: 'OutOfSync' });
});
