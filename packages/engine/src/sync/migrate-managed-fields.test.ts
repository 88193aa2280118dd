import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, ManagedFieldsEntry } from '@fairlead/apimachinery';
import { migratedFields } from './migrate-managed-fields.ts';

const entry = (
  manager: string,
  operation: 'Apply' | 'Update',
  fieldsV1: JsonObject,
  subresource?: string,
): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...(subresource ? { subresource } : {}),
});

test('client-side applied fields are migrated to our server-side field manager', () => {
  const migrated = migratedFields(
    [
      entry('kubectl-client-side-apply', 'Update', { 'f:data': { '.': {}, 'f:a': {} } }),
      entry('argocd-controller', 'Update', { 'f:data': { 'f:b': {} } }),
      entry('someone', 'Update', { 'f:data': { 'f:c': {} } }),
    ],
    'argocd-controller',
  );
  assert.deepEqual(migrated, [
    entry('argocd-controller', 'Apply', { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }),
    entry('someone', 'Update', { 'f:data': { 'f:c': {} } }),
  ]);
});

test('migrated fields are merged with fields that we already own', () => {
  const migrated = migratedFields(
    [
      entry('argocd-controller', 'Apply', { 'f:data': { 'f:a': {} } }),
      entry('argocd-controller', 'Update', { 'f:data': { 'f:b': {} }, 'f:metadata': { 'f:labels': {} } }),
    ],
    'argocd-controller',
  );
  assert.deepEqual(migrated, [
    entry('argocd-controller', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} }, 'f:metadata': { 'f:labels': {} } }),
  ]);
});

test('other managers and subresources are not migrated', () => {
  const others = [
    entry('argocd-controller', 'Apply', {}),
    entry('kube-controller-manager', 'Update', {}),
    entry('argocd-controller', 'Update', {}, 'status'),
  ];
  assert.equal(migratedFields(others, 'argocd-controller'), undefined);
  assert.equal(migratedFields(undefined, 'argocd-controller'), undefined);
  assert.ok(migratedFields([entry('helm', 'Update', {})], 'argocd-controller', ['helm']));
});
