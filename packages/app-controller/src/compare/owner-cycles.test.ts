import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { LiveIndex, treeUnder } from '@fairlead/engine';
import { ownerCycles } from './owner-cycles.ts';

const object = (name: string, ...owners: string[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    namespace: 'web',
    uid: name,
    ownerReferences: owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: owner })),
  },
});
const cycles = (...objects: KubeObject[]): string[] => {
  const index = new LiveIndex(() => undefined);
  for (const one of objects) index.put(one);
  return ownerCycles({ treeUnder: (roots) => treeUnder(index, roots) }, objects).map(({ message }) => message);
};

test('a chain of owners is not a cycle', () => {
  assert.deepEqual(cycles(object('a'), object('b', 'a'), object('c', 'b', 'a')), []);
});

test('owner cycles are reported, each with the field and the remedy', () => {
  const warnings = cycles(object('a', 'c'), object('b', 'a'), object('c', 'b'));
  assert.equal(warnings.length, 3);
  assert.equal(
    warnings[0],
    'ConfigMap web/a is owned by ConfigMap web/c, which it owns: remove the entry from metadata.ownerReferences of one of them',
  );
});

test('an object that owns itself is a cycle', () => {
  assert.match(cycles(object('a', 'a'))[0]!, /^ConfigMap web\/a is owned by itself/);
});
