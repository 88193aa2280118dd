import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf, templateOf, update } from '../../../../test/support/workload-harness.ts';

const guard = 'container.apparmor.security.beta.kubernetes.io/main';
const filter = 'seccomp.security.alpha.kubernetes.io/pod';
const annotated = (annotations: object, spec: object = {}) =>
  create(podOf({ metadata: { annotations }, spec: { ...spec } }));

for (const [title, given, expected] of [
  ['a cost of being deleted', { 'controller.kubernetes.io/pod-deletion-cost': '-5' }, []],
  [
    'a cost that is no number',
    { 'controller.kubernetes.io/pod-deletion-cost': 'high' },
    [
      'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "high": must be a 32bit integer',
    ],
  ],
  [
    'a cost with a sign too many',
    { 'controller.kubernetes.io/pod-deletion-cost': '+5' },
    ['metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+5": must be a 32bit integer'],
  ],
  [
    'an unknown filter',
    { [filter]: 'strict' },
    [
      'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "strict": must be a valid seccomp profile',
    ],
  ],
  ['a filter of the runtime', { [filter]: 'runtime/default' }, []],
  [
    'a filter outside',
    { [filter]: 'localhost/../x' },
    ['metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "../x": must not contain \'..\''],
  ],
  [
    'a guard of no container',
    { 'container.apparmor.security.beta.kubernetes.io/other': 'runtime/default' },
    [
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "other": container not found',
    ],
  ],
  [
    'an unknown guard',
    { [guard]: 'strict' },
    [
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: Invalid value: "strict": invalid AppArmor profile name: "strict"',
    ],
  ],
  [
    'invalid tolerations',
    { 'scheduler.alpha.kubernetes.io/tolerations': '[{"operator":"Like"}]' },
    [
      'metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator: Invalid value: "Like": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      'metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator: Unsupported value: "Like": supported values: "Equal", "Exists"',
    ],
  ],
] as const) {
  test(`a pod annotated with ${title}`, () => assert.deepEqual(annotated(given).problems, expected));
}

for (const [value, profile] of [
  ['runtime/default', { type: 'RuntimeDefault' }],
  ['unconfined', { type: 'Unconfined' }],
  ['localhost/mine', { type: 'Localhost', localhostProfile: 'mine' }],
  ['', undefined],
] as const) {
  test(`the annotation ${value || 'without a value'} becomes a field, with a warning`, () => {
    const { object, warnings } = annotated({ [guard]: value });
    const [container] = (object.spec as { containers: { securityContext?: { appArmorProfile?: object } }[] })
      .containers;
    assert.deepEqual(container?.securityContext?.appArmorProfile, profile);
    assert.deepEqual(warnings, [
      `metadata.annotations[${guard}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
  });
}

for (const [title, given, expected] of [
  ['the same guard', [{ [guard]: 'unconfined' }, { appArmorProfile: { type: 'Unconfined' } }], []],
  [
    'another guard',
    [{ [guard]: 'unconfined' }, { appArmorProfile: { type: 'RuntimeDefault' } }],
    [
      'spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match',
    ],
  ],
  [
    'another local guard',
    [{ [guard]: 'localhost/a' }, { appArmorProfile: { type: 'Localhost', localhostProfile: 'b' } }],
    [
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match',
    ],
  ],
  ['the same filter', [{ [filter]: 'docker/default' }, {}, { seccompProfile: { type: 'RuntimeDefault' } }], []],
  [
    'another filter',
    [{ [filter]: 'unconfined' }, {}, { seccompProfile: { type: 'RuntimeDefault' } }],
    ['spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match'],
  ],
] as const) {
  test(`annotation and field with ${title}`, () =>
    assert.deepEqual(
      create(
        podOf({
          metadata: { annotations: given[0] },
          container: { securityContext: given[1] },
          spec: { securityContext: given[2] ?? {} },
        }),
      ).problems,
      expected,
    ));
}

test('AppArmor and mirror pod annotations of a running pod are immutable', () => {
  const old = annotated({ [guard]: 'unconfined' }).object;
  const changed = (annotations: object) =>
    update(old, ({ metadata }) => Object.assign(metadata, { annotations })).problems;
  assert.deepEqual(changed({ [guard]: 'unconfined', other: 'x' }), []);
  assert.deepEqual(changed({}), [
    `metadata.annotations[${guard}]: Forbidden: may not remove or update AppArmor annotations`,
  ]);
  const mirrored = changed({ [guard]: 'unconfined', 'kubernetes.io/config.mirror': 'x' });
  assert.equal(
    mirrored[1],
    'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation',
  );
});

test('annotations of a template are validated like those of an object', () => {
  const template = templateOf({ metadata: { labels: { app: 'web' }, annotations: { 'a b': 'x' } } });
  const { problems } = create({ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'a' }, template });
  assert.match(problems.join(), /^template.annotations: Invalid value: "a b": name part must consist of/);
});
