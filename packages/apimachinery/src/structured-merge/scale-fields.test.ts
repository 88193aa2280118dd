import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../json/json-value.ts';
import type { ManagedFieldsEntry } from '../meta/object.ts';
import { parentManagedFields, scaleManagedFields } from './scale-fields.ts';

const entry = (manager: string, fieldsV1: JsonObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});

const replicas = { 'f:spec': { 'f:replicas': {} } };
const both = { 'f:spec': { 'f:replicas': {}, 'f:selector': {} } };
const path = ['spec', 'replicas'];
const scaled = { apiVersion: 'autoscaling/v1', subresource: 'scale' };

test('a Scale lists only the managers of the replicas', () => {
  const parent = [entry('a', both, { operation: 'Apply', time: '2024-01-01T00:00:00Z' }), entry('b', { 'f:data': {} })];
  assert.deepEqual(scaleManagedFields(parent, path), [
    entry('a', replicas, { operation: 'Apply', apiVersion: 'autoscaling/v1', time: '2024-01-01T00:00:00Z' }),
  ]);
});

test('a write to Scale takes ownership of the replicas, with an entry without a time', () => {
  const scale = [entry('hpa', replicas, { ...scaled, time: '2024-01-01T00:00:09Z' })];
  assert.deepEqual(parentManagedFields([entry('a', both)], scale, 'apps/v1', path), [
    entry('a', { 'f:spec': { 'f:selector': {} } }),
    entry('hpa', replicas, { subresource: 'scale' }),
  ]);
});

test('a manager that still owns the replicas keeps its entry', () => {
  const parent = [entry('a', both, { operation: 'Apply' }), entry('b', both)];
  const scale = scaleManagedFields(parent, path);
  assert.deepEqual(parentManagedFields(parent, scale, 'apps/v1', path), parent);
});

test('a manager that owned only the replicas is removed', () => {
  assert.deepEqual(parentManagedFields([entry('a', replicas)], [], 'apps/v1', path), []);
});
