import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ManagedFieldsEntry } from '@fairlead/apimachinery';
import { customSchema } from './custom-schema.ts';
import { differenceBetween } from './diff.ts';
import { structuredMerge } from './structured-merge.ts';

const properties = {
  spec: {
    type: 'object',
    properties: {
      size: { type: 'integer' },
      ports: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
      },
      args: { type: 'array', items: { type: 'string' } },
    },
  },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.org' },
  spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties } } }] },
} as KubeObject;
const thing = (spec: object): KubeObject =>
  ({ apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 't' }, spec }) as KubeObject;
const owned = (fieldsV1: object): ManagedFieldsEntry[] => [
  {
    manager: 'argocd-controller',
    operation: 'Apply',
    apiVersion: 'example.org/v1',
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsV1 as never,
  },
];
const changed = (
  desired: object,
  live: object,
  managedFields: ManagedFieldsEntry[],
  known = true,
): readonly string[] => {
  const schema = known ? customSchema(definition, 'v1') : undefined;
  const there = thing(live);
  const prediction = structuredMerge(thing(desired), there, { schema, manager: 'argocd-controller', managedFields });
  return differenceBetween(prediction.live, prediction.predicted).fields;
};

test('the schema of a CRD is built once per version, and a version without a schema has none', () => {
  assert.equal(customSchema(definition, 'v1'), customSchema(definition, 'v1'));
  assert.equal(customSchema(definition, 'v2'), undefined);
});

test('items of other managers remain in a list of type map', () => {
  const desired = { size: 1, ports: [{ name: 'a', port: 1 }] };
  const live = {
    size: 1,
    ports: [
      { name: 'theirs', port: 9 },
      { name: 'a', port: 1 },
    ],
  };
  assert.deepEqual(changed(desired, live, []), []);
  assert.deepEqual(changed(desired, { ...live, size: 2 }, []), ['spec.size']);
});

test('fields that we owned and dropped are removed', () => {
  const mine = owned({
    'f:spec': { 'f:size': {}, 'f:ports': { 'k:{"name":"old"}': { '.': {}, 'f:name': {}, 'f:port': {} } } },
  });
  const live = {
    size: 1,
    ports: [
      { name: 'old', port: 1 },
      { name: 'theirs', port: 2 },
    ],
  };
  assert.deepEqual(changed({ size: 1 }, live, mine), ['spec.ports']);
});

test('without a CRD maps are merged, and lists are atomic', () => {
  assert.deepEqual(changed({ size: 1 }, { size: 1, other: 2 }, [], false), []);
  assert.deepEqual(changed({ args: ['a'] }, { args: ['a', 'b'] }, [], false), ['spec.args']);
});
