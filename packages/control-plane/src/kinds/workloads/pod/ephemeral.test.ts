import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf, update } from '../../../../test/support/workload-harness.ts';

const debug = {
  name: 'debug',
  image: 'busybox',
  imagePullPolicy: 'Always',
  terminationMessagePath: '/x',
  terminationMessagePolicy: 'File',
};
const old = create(podOf()).object;
const added = (list: readonly object[]): readonly string[] =>
  update(old, ({ spec }) => Object.assign(spec, { ephemeralContainers: list }), { subresource: 'ephemeralcontainers' })
    .problems;

for (const [title, given, expected] of [
  ['one', [debug], []],
  [
    'the name of a container',
    [{ ...debug, name: 'main' }],
    ['spec.ephemeralContainers[0].name: Duplicate value: "main"'],
  ],
  [
    'ports',
    [{ ...debug, ports: [{ containerPort: 80 }] }],
    ['spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container'],
  ],
  [
    'resources',
    [{ ...debug, resources: { limits: { cpu: '1' } } }],
    ['spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container'],
  ],
  [
    'a probe',
    [{ ...debug, livenessProbe: { exec: { command: ['x'] } } }],
    ['spec.ephemeralContainers[0].livenessProbe: Forbidden: cannot be set for an Ephemeral Container'],
  ],
  [
    'empty lifecycle hooks',
    [{ ...debug, lifecycle: {} }],
    ['spec.ephemeralContainers[0].lifecycle: Forbidden: cannot be set for an Ephemeral Container'],
  ],
  [
    'a target that is not there',
    [{ ...debug, targetContainerName: 'other' }],
    ['spec.ephemeralContainers[0].targetContainerName: Not found: "other"'],
  ],
] as const) {
  test(`an ephemeral container with ${title}`, () => assert.deepEqual(added(given), expected));
}

test('existing ephemeral containers are immutable', () => {
  const first = update(old, ({ spec }) => Object.assign(spec, { ephemeralContainers: [debug] }), {
    subresource: 'ephemeralcontainers',
  }).object;
  const change = (list: object[]) =>
    update(first, ({ spec }) => Object.assign(spec, { ephemeralContainers: list }), {
      subresource: 'ephemeralcontainers',
    }).problems;
  assert.deepEqual(change([]), [
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
  ]);
  assert.deepEqual(change([{ ...debug, image: 'other' }]), [
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed\n@@ -1,6 +1,6 @@\n {\n  "Name": "debug",\n- "Image": "busybox",\n+ "Image": "other",\n  "Command": null,\n  "Args": null,\n  "WorkingDir": "",\n',
  ]);
  assert.deepEqual(change([debug, { ...debug, name: 'second' }]), []);
});
