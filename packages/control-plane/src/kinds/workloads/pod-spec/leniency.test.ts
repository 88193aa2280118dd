import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, podOf, templateOf, update } from '../../../../test/support/workload-harness.ts';

const selector = { matchLabels: { app: 'web' } };
const deployment = (template: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { selector, template },
});
const odd = { labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['no value!'] }] } };

for (const [title, given, expected] of [
  [
    'an invalid value in a selector',
    {
      spec: {
        affinity: {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', ...odd }] },
        },
      },
    },
    [true, []],
  ],
  [
    'an invalid value in a spread constraint',
    {
      spec: {
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...odd }],
      },
    },
    [true, []],
  ],
  [
    'a cost that is no number',
    { metadata: { labels: { app: 'web' }, annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'high' } } },
    [true, []],
  ],
  [
    "a setting of a network that is the host's",
    { spec: { hostNetwork: true, securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] } } },
    [true, []],
  ],
  [
    'pages of a bad size',
    { container: { resources: { limits: { 'hugepages-2Mi': '3Mi', memory: '1Gi' } } } },
    [true, []],
  ],
  ['no image', { container: { image: '' } }, [true, ['spec.template.spec.containers[0].image: Required value']]],
] as const) {
  test(`rejected on create, accepted in an existing template: ${title}`, () =>
    assert.deepEqual(
      [
        create(deployment(templateOf(given))).problems.length > 0,
        update(create(deployment(templateOf(given))).object, ({ spec }) => Object.assign(spec, { replicas: 2 }))
          .problems,
      ],
      expected,
    ));
}

test('other invalid values are rejected on update too', () => {
  const old = create(deployment(templateOf())).object;
  const spec = { replicas: -1 };
  assert.deepEqual(update(old, (draft) => Object.assign(draft.spec, spec)).problems, [
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

test('a field of a disabled feature is dropped silently', () => {
  const sources = [{ clusterTrustBundle: { name: 'ca', path: 'ca.crt' } }];
  const { object, problems } = create(podOf({ spec: { volumes: [{ name: 'v', projected: { sources } }] } }));
  assert.deepEqual(problems, []);
  assert.deepEqual(object.spec['volumes'], [{ name: 'v', projected: { defaultMode: 420, sources: [{}] } }]);
});
