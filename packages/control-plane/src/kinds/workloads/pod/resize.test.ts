import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf, update } from '../../../../test/support/workload-harness.ts';

const container = {
  name: 'main',
  image: 'nginx',
  resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } },
};
const old = create(podOf({ spec: { containers: [container], initContainers: [{ name: 'init', image: 'x' }] } })).object;
const resized = (spec: object): readonly string[] =>
  update(old, (pod) => Object.assign(pod.spec, spec), { subresource: 'resize' }).problems;

for (const [title, given, expected] of [
  [
    'more of both',
    { containers: [{ ...container, resources: { requests: { cpu: '2', memory: '2Gi' }, limits: { memory: '3Gi' } } }] },
    [],
  ],
  [
    'no limit any more',
    { containers: [{ ...container, resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
    ['spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed'],
  ],
  [
    'other resources',
    {
      containers: [
        {
          ...container,
          resources: { requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' }, limits: { memory: '2Gi' } },
        },
      ],
    },
    ['spec: Forbidden: only cpu and memory resources are mutable'],
  ],
  [
    'one container more',
    { containers: [container, { name: 'more', image: 'x' }] },
    ['spec.containers: Forbidden: containers may not be added or removed on resize'],
  ],
  [
    'another name',
    { containers: [{ ...container, name: 'other' }] },
    ['spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize'],
  ],
] as const) {
  test(`a resize to ${title}`, () => assert.deepEqual(resized(given), expected));
}

test('a resize does not change the image', () => {
  const { object } = update(
    old,
    ({ spec }) => Object.assign(spec, { containers: [{ ...container, image: 'other' }] }),
    { subresource: 'resize' },
  );
  assert.equal((object.spec as { containers: { image: string }[] }).containers[0]?.image, 'nginx');
});

test('init containers are resized too', () => {
  const initContainers = [{ name: 'init', image: 'x', resources: { requests: { cpu: '1' } } }];
  assert.deepEqual(resized({ initContainers }), []);
});

test('a resize cannot change the QoS class', () => {
  const alone = create(podOf({ container })).object;
  const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } };
  const change = update(alone, ({ spec }) => Object.assign(spec, { containers: [{ ...container, resources }] }), {
    subresource: 'resize',
  });
  assert.deepEqual(change.problems, [
    'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
  ]);
});

test('a Windows pod cannot be resized', () => {
  const windows = create(podOf({ spec: { os: { name: 'windows' } } })).object;
  assert.deepEqual(update(windows, () => undefined, { subresource: 'resize' }).problems, [
    ': Forbidden: windows pods cannot be resized',
  ]);
});
