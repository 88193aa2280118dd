import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldPath, jsonChanges } from './field-changes.ts';
import { fieldOwner, isWithin } from './field-owner.ts';

test('a change knows its place on both sides, also where list items have another order', () => {
  const before = { list: [{ name: 'side' }, { name: 'web', image: 'a' }] };
  const after = { list: [{ name: 'web', image: 'b' }, { name: 'side' }] };
  assert.deepEqual(jsonChanges(before, after), [
    {
      path: ['list', '[web]', 'image'],
      at: { before: ['list', 1, 'image'], after: ['list', 0, 'image'] },
      before: 'a',
      after: 'b',
    },
  ]);
});

test('a field of one side only', () => {
  assert.deepEqual(jsonChanges({ a: 1 }, { b: 2 }), [
    { path: ['a'], at: { before: ['a'], after: ['a'] }, before: 1 },
    { path: ['b'], at: { before: ['b'], after: ['b'] }, after: 2 },
  ]);
  const [added] = jsonChanges({ list: [{ name: 'a' }] }, { list: [{ name: 'a' }, { name: 'b' }] });
  assert.deepEqual(added?.at.after, ['list', 1]);
});

test('writes paths as users read them', () => {
  assert.equal(fieldPath(['spec', 'containers', 0, 'image']), 'spec.containers[0].image');
  assert.equal(
    fieldPath(['metadata', 'labels', 'app.kubernetes.io/name']),
    'metadata.labels["app.kubernetes.io/name"]',
  );
  assert.equal(fieldPath(['containers', '[web]']), 'containers[web]');
});

const object = { spec: { replicas: 2, containers: [{ name: 'web', image: 'a', env: [] }] }, data: { x: '1' } };
const ownerOf = fieldOwner(object, [
  {
    manager: 'argocd-controller',
    operation: 'Apply',
    time: '2030-01-01T00:00:00Z',
    fieldsV1: { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } }, 'f:replicas': {} } },
  },
  {
    manager: 'autoscaler',
    operation: 'Update',
    time: '2030-01-02T00:00:00Z',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  },
  { manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:data': {} } },
]);

test('the owner of a field is the last manager that has written it', () => {
  assert.deepEqual(ownerOf(['spec', 'replicas']), { manager: 'autoscaler', since: '2030-01-02T00:00:00Z' });
  assert.equal(ownerOf(['spec', 'containers', 0, 'image'])?.manager, 'argocd-controller');
});

test('a field has the owner of what it is part of, and an object that of a part', () => {
  assert.deepEqual(ownerOf(['data', 'x']), { manager: 'kubectl' });
  assert.equal(ownerOf(['spec', 'containers', 0])?.manager, 'argocd-controller');
  assert.equal(ownerOf(['status']), undefined);
});

test('within', () => {
  assert.ok(isWithin(['a', 0, 'b'], ['a', 0]));
  assert.ok(!isWithin(['a'], ['a', 0]));
});
