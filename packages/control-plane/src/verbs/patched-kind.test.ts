import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type JsonObject } from '@fairlead/apimachinery';
import type { PatchType } from '@fairlead/kube';
import type { Resource } from '../resource.ts';
import { ownKind } from './patched-kind.ts';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap' } as Resource;
const widgets = { group: 'a.b', version: 'v1', kind: 'Widget', custom: true } as Resource;
const after = (patched: JsonObject, type: PatchType, resource = configMaps) => ownKind(patched, resource, type, 'c');

test('a strategic merge patch cannot change the kind of an object', () => {
  for (const said of [{}, { kind: 'Foo', apiVersion: 'v1' }, { kind: 'ConfigMap', apiVersion: 'v9' }]) {
    assert.deepEqual(after({ ...said, data: {} }, 'strategic'), { apiVersion: 'v1', kind: 'ConfigMap', data: {} });
  }
});

test('another patch may remove the kind of a built-in object, but not change it', () => {
  assert.deepEqual(after({ apiVersion: 'v1', data: {} }, 'merge'), { apiVersion: 'v1', kind: 'ConfigMap', data: {} });
  assert.deepEqual(after({ kind: 'ConfigMap', data: {} }, 'json'), { apiVersion: 'v1', kind: 'ConfigMap' });
  assert.equal(after({ apiVersion: 'v1', kind: 'Foo' }, 'merge'), undefined);
  assert.equal(after({ apiVersion: 'v9', kind: 'ConfigMap' }, 'merge'), undefined);
});

test('a custom resource with another kind is rejected with the expected kind', () => {
  assert.equal(after({ apiVersion: 'a.b/v1' }, 'merge', widgets), undefined);
  assert.throws(
    () => after({ apiVersion: 'a.b/v2', kind: 'Foo' }, 'merge', widgets),
    (error) => {
      assert.ok(error instanceof ApiError);
      const { kind, group, causes } = error.status.details ?? {};
      assert.deepEqual([kind, group, causes?.map(({ field }) => field)], ['Foo', 'a.b', ['kind', 'apiVersion']]);
      return true;
    },
  );
});
