import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf, update } from '../../../test/support/workload-harness.ts';

const selector = { matchLabels: { app: 'web' } };
const replicaSet = (spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web' },
  spec: { selector, template: templateOf(), ...spec },
});
const controller = (spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name: 'web' },
  spec: { template: templateOf(), ...spec },
});

test('a ReplicaSet has one replica by default, and a status of zero', () => {
  const { object } = create(replicaSet());
  assert.equal(object.spec['replicas'], 1);
  assert.deepEqual(object.status, { replicas: 0 });
});

test('a ReplicationController defaults selector and labels from its template', () => {
  const { object } = create(controller());
  assert.deepEqual(object.spec['selector'], { app: 'web' });
  assert.deepEqual(object.metadata.labels, { app: 'web' });
});

for (const [title, given, expected] of [
  [
    'no selector',
    { selector: null },
    [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
  ],
  [
    'a selector for other pods',
    { selector: { matchLabels: { app: 'other' } } },
    ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
  ],
  ['replicas below zero', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
  [
    'pods that end',
    { template: templateOf({ spec: { restartPolicy: 'OnFailure' } }) },
    ['spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"'],
  ],
] as const) {
  test(`a ReplicaSet with ${title}`, () => assert.deepEqual(create(replicaSet(given)).problems, expected));
}

for (const [title, given, expected] of [
  [
    'a selector for other pods',
    { selector: { app: 'other' } },
    ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
  ],
  ['no template', { template: null, selector: { app: 'web' } }, ['spec.template: Required value']],
  ['replicas below zero', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
] as const) {
  test(`a ReplicationController with ${title}`, () => assert.deepEqual(create(controller(given)).problems, expected));
}

test('the selector of a ReplicaSet is immutable, that of a ReplicationController is not', () => {
  const labels = { app: 'web', tier: 'a' };
  const template = templateOf({ metadata: { labels } });
  const set = update(create(replicaSet()).object, ({ spec }) =>
    Object.assign(spec, { selector: { matchLabels: labels }, template }),
  );
  assert.deepEqual(set.problems, [
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: field is immutable',
  ]);
  const old = update(create(controller()).object, ({ spec }) => Object.assign(spec, { selector: labels, template }));
  assert.deepEqual(old.problems, []);
});
