import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, type KubeObject, unstructured } from '@fairlead/apimachinery';
import { defines, unknownFields } from './unknown-fields.ts';

const object = (apiVersion: string, kind: string, rest: JsonObject): KubeObject =>
  unstructured({ apiVersion, kind, metadata: { name: 'a' }, ...rest });

test('misspelt fields of built-in kinds are reported with their paths', () => {
  const containers = [{ name: 'main', image: 'web:1', imagePolicy: 'Always' }];
  const deployment = object('apps/v1', 'Deployment', { spec: { replica: 3, template: { spec: { containers } } } });
  assert.deepEqual(unknownFields(deployment), ['spec.replica', 'spec.template.spec.containers[0].imagePolicy']);
  const configMap = { ...object('v1', 'ConfigMap', { dat: {} }), metadata: { name: 'a', owner: 'me' } };
  assert.deepEqual(unknownFields(configMap), ['metadata.owner', 'dat']);
});

test('nothing is reported for a correct manifest, a wrong type and a kind without a schema', () => {
  assert.deepEqual(unknownFields(object('v1', 'Secret', { stringData: { a: 'b' }, data: null })), []);
  assert.deepEqual(unknownFields(object('apps/v1', 'Deployment', { spec: { replicas: 'x', replica: 1 } })), []);
  assert.deepEqual(unknownFields(object('example.com/v1', 'Widget', { spec: {} })), []);
});

const definition = (properties: JsonObject): KubeObject =>
  unstructured({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties } } }],
    },
  });

test('fields that the schema of a CRD does not have are reported, unless it preserves them', () => {
  const widget = object('example.com/v1', 'Widget', { spec: { size: 1, colour: 'red' } });
  const properties = { size: { type: 'integer' } };
  const strict = definition({ spec: { type: 'object', properties } });
  assert.deepEqual(unknownFields(widget, strict), ['spec.colour']);
  const free = definition({ spec: { type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true } });
  assert.deepEqual(unknownFields(widget, free), []);
  assert.ok(defines(strict, widget));
  assert.ok(!defines(strict, object('example.org/v1', 'Widget', {})));
});
