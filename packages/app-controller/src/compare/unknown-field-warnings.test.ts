import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, type KubeObject, unstructured } from '@fairlead/apimachinery';
import { defines, resourceIdOf, unknownFields } from '@fairlead/engine';
import type { ComparedResource } from './compare.ts';
import { unknownFieldWarnings } from './unknown-field-warnings.ts';

const object = (apiVersion: string, kind: string, rest: JsonObject): KubeObject =>
  unstructured({ apiVersion, kind, metadata: { name: 'a', namespace: 'web' }, ...rest });
const compared = (target: KubeObject, status: 'Synced' | 'OutOfSync'): ComparedResource => ({
  id: resourceIdOf(target),
  target,
  status,
  requiresPruning: false,
  fields: [],
});
const evaluator = {
  unknownFields: async (target: KubeObject, definitions: readonly KubeObject[]) =>
    unknownFields(
      target,
      definitions.find((one) => defines(one, target)),
    ),
};

test('misspelt fields of OutOfSync objects are reported, up to five per object', async () => {
  const many = Object.fromEntries(['p', 'q', 'r', 's', 't', 'u', 'v'].map((name) => [name, 1]));
  const resources = [
    compared(object('v1', 'ConfigMap', { sizee: 1 }), 'OutOfSync'),
    compared(object('v1', 'Service', many), 'OutOfSync'),
    compared(object('v1', 'Secret', { dat: {} }), 'Synced'),
  ];
  assert.deepEqual(await unknownFieldWarnings(evaluator, { resources }), [
    {
      type: 'UnknownFieldWarning',
      message: 'ConfigMap web/a has unknown field "sizee": the API server drops it, correct its name',
    },
    {
      type: 'UnknownFieldWarning',
      message:
        'Service web/a has unknown fields "p", "q", "r", "s", "t", 2 more: the API server drops them, correct their names',
    },
  ]);
});

test('a CustomResourceDefinition of the same target state describes its kind', async () => {
  const crd = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
    spec: {
      group: 'example.com',
      names: { kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          schema: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
        },
      ],
    },
  });
  const widget = compared(object('example.com/v1', 'Widget', { size: 1, sise: 2 }), 'OutOfSync');
  const [warning, ...others] = await unknownFieldWarnings(evaluator, { resources: [compared(crd, 'Synced'), widget] });
  assert.deepEqual(others, []);
  assert.match(warning?.message ?? '', /^Widget web\/a has unknown field "sise"/);
});
