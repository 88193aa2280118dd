import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, KubeObject } from '@fairlead/apimachinery';
import { diff } from './diff.ts';
import { lastAppliedAnnotation, lastAppliedText } from './last-applied.ts';

const object = (kind: string, rest: object, apiVersion = 'v1', metadata: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'web', ...metadata },
  ...rest,
});
const deployment = (spec: object): KubeObject => object('Deployment', { spec }, 'apps/v1');
const configMap = (data: object, metadata: object = {}): KubeObject => object('ConfigMap', { data }, 'v1', metadata);
const custom = (spec: object): KubeObject => object('Thing', { spec }, 'example.com/v1');
/** A live object that was applied from `applied`. */
const from = (applied: KubeObject, live: KubeObject): KubeObject => ({
  ...live,
  metadata: {
    ...live.metadata,
    annotations: { ...live.metadata.annotations, [lastAppliedAnnotation]: lastAppliedText(applied) },
  },
});
const template = (...containers: object[]): object => ({ template: { spec: { containers } } });

const cases: [title: string, desired: KubeObject, live: KubeObject, changed: string[]][] = [
  ['the same', configMap({ a: '1' }), configMap({ a: '1' }), []],
  ['a value differs', configMap({ a: '1' }), configMap({ a: '2' }), ['data.a']],
  ['fields that others added are kept', configMap({ a: '1' }), configMap({ a: '1', b: '2' }), []],
  [
    'applied fields that are no longer declared are removed',
    configMap({ a: '1' }),
    from(configMap({ a: '1', b: '2' }), configMap({ a: '1', b: '2', c: '3' })),
    ['data.b'],
  ],
  [
    'labels and annotations',
    configMap({}, { labels: { app: 'web' } }),
    configMap({}, { labels: { app: 'other', x: 'y' }, annotations: { z: '1' } }),
    ['metadata.labels.app'],
  ],
  ['an empty map equals no map', configMap({}, { labels: {} }), object('ConfigMap', {}), []],
  ['null equals an absent field', configMap({}, { creationTimestamp: null }), configMap({}), []],
  ['null removes', object('ConfigMap', { data: { a: null } }), configMap({ a: '1' }), ['data.a']],
  [
    'status is not compared',
    object('Service', { spec: {}, status: { loadBalancer: {} } }),
    object('Service', { spec: {} }),
    [],
  ],
  [
    'defaults inside containers, volumes and probes are the server’s',
    deployment(template({ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] })),
    deployment({
      replicas: 1,
      ...template({
        name: 'web',
        image: 'web:1',
        imagePullPolicy: 'Always',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
      }),
    }),
    [],
  ],
  [
    'an injected sidecar is kept',
    deployment(template({ name: 'web', image: 'a' })),
    deployment(template({ name: 'web', image: 'a' }, { name: 'proxy', image: 'p' })),
    [],
  ],
  [
    'our sidecar that is no longer declared is removed',
    deployment(template({ name: 'web' })),
    from(deployment(template({ name: 'web' }, { name: 'x' })), deployment(template({ name: 'web' }, { name: 'x' }))),
    ['spec.template.spec.containers'],
  ],
  [
    'the order of containers',
    deployment(template({ name: 'b' }, { name: 'a' })),
    deployment(template({ name: 'a' }, { name: 'b' })),
    ['spec.template.spec.containers'],
  ],
  [
    'quantities',
    deployment(template({ name: 'a', resources: { limits: { cpu: '1000m', memory: '1024Mi' } } })),
    deployment(template({ name: 'a', resources: { limits: { cpu: '1', memory: '1Gi' } } })),
    [],
  ],
  [
    'a zero that the server does not keep',
    deployment({ paused: false, template: { spec: { hostNetwork: false } } }),
    deployment({ template: { spec: {} } }),
    [],
  ],
  ['a zero that means something', deployment({ replicas: 0 }), deployment({ replicas: 3 }), ['spec.replicas']],
  [
    'a strategy of another kind drops the old one’s settings',
    deployment({ strategy: { type: 'Recreate' } }),
    deployment({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }),
    ['spec.strategy.type', 'spec.strategy.rollingUpdate'],
  ],
  [
    'a strategy with its defaults',
    deployment({ strategy: { type: 'RollingUpdate' } }),
    deployment({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } }),
    [],
  ],
  [
    'two service ports of one number',
    object('Service', {
      spec: {
        ports: [
          { port: 53, protocol: 'UDP', name: 'u' },
          { port: 53, name: 't' },
        ],
      },
    }),
    object('Service', {
      spec: {
        ports: [
          { port: 53, protocol: 'UDP', name: 'u', targetPort: 53 },
          { port: 53, protocol: 'TCP', name: 't', targetPort: 53 },
        ],
      },
    }),
    [],
  ],
  [
    'defaults inside a list that is replaced as one',
    object('NetworkPolicy', { spec: { ingress: [{ ports: [{ port: 80 }] }] } }, 'networking.k8s.io/v1'),
    object(
      'NetworkPolicy',
      { spec: { ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }] } },
      'networking.k8s.io/v1',
    ),
    [],
  ],
  [
    'an item more in a list that is replaced as one',
    object('NetworkPolicy', { spec: { policyTypes: ['Ingress'] } }, 'networking.k8s.io/v1'),
    object('NetworkPolicy', { spec: { policyTypes: ['Ingress', 'Egress'] } }, 'networking.k8s.io/v1'),
    ['spec.policyTypes'],
  ],
  ['stringData is data', object('Secret', { stringData: { a: 'x' } }), object('Secret', { data: { a: 'eA==' } }), []],
  [
    'stringData that differs',
    object('Secret', { stringData: { a: 'y' } }),
    object('Secret', { data: { a: 'eA==' } }),
    ['data.a'],
  ],
  [
    'stringData that differs in a key of any name',
    object('Secret', { stringData: { ['__proto__']: 'y' } }),
    object('Secret', { data: { ['__proto__']: 'eA==' } }),
    ['data.__proto__'],
  ],
  [
    'an aggregated role’s rules are collected',
    object('ClusterRole', { aggregationRule: {}, rules: [] }, 'rbac.authorization.k8s.io/v1'),
    object('ClusterRole', { aggregationRule: {}, rules: [{ verbs: ['get'] }] }, 'rbac.authorization.k8s.io/v1'),
    [],
  ],
  [
    'a field that the server does not keep stays OutOfSync, as in Argo CD',
    deployment({ misspelt: 1 }),
    from(deployment({ misspelt: 1 }), deployment({ replicas: 1 })),
    ['spec.misspelt'],
  ],
  [
    'nulls and zero values that a server drops',
    deployment({
      replicas: null,
      strategy: {},
      ...template({ name: 'web', image: 'a', imagePullPolicy: '', env: [{ name: 'A', value: '' }], ports: [] }),
    }),
    deployment({
      replicas: 3,
      ...template({ name: 'web', image: 'a', imagePullPolicy: 'Always', env: [{ name: 'A' }] }),
    }),
    [],
  ],
  [
    'a struct that is declared null and that the server writes as {}',
    deployment(template({ name: 'web', image: 'a', resources: null })),
    from(
      deployment(template({ name: 'web', image: 'a', resources: null })),
      deployment(template({ name: 'web', image: 'a', resources: {} })),
    ),
    [],
  ],
  [
    'a zero value that was applied before',
    object('StatefulSet', { spec: { podManagementPolicy: '' } }, 'apps/v1'),
    from(
      object('StatefulSet', { spec: { podManagementPolicy: '' } }, 'apps/v1'),
      object('StatefulSet', { spec: { podManagementPolicy: 'OrderedReady', replicas: 1 } }, 'apps/v1'),
    ),
    [],
  ],
  [
    'an entry of a map that is declared null, and absent',
    object('ConfigMap', { data: { a: null, b: '' } }),
    from(object('ConfigMap', { data: { a: null, b: '' } }), configMap({ b: '' })),
    [],
  ],
  [
    'a field that another wrote into an item of a list that is replaced as one',
    object('NetworkPolicy', { spec: { ingress: [{ ports: [{ port: 80 }] }] } }, 'networking.k8s.io/v1'),
    object(
      'NetworkPolicy',
      { spec: { ingress: [{ ports: [{ port: 80, protocol: 'TCP', endPort: 90 }] }] } },
      'networking.k8s.io/v1',
    ),
    ['spec.ingress'],
  ],
  [
    'defaults of a claim template that depend on the cluster',
    object('StatefulSet', { spec: { volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: {} }] } }, 'apps/v1'),
    object(
      'StatefulSet',
      {
        spec: {
          volumeClaimTemplates: [
            {
              apiVersion: 'v1',
              kind: 'PersistentVolumeClaim',
              metadata: { name: 'd' },
              spec: { volumeMode: 'Filesystem', storageClassName: 'standard' },
              status: { phase: 'Pending' },
            },
          ],
        },
      },
      'apps/v1',
    ),
    [],
  ],
  [
    'a null in a custom resource, where the server set a default',
    custom({ size: null, name: 'a' }),
    from(custom({ size: null, name: 'a' }), custom({ size: 3, name: 'a' })),
    [],
  ],
  [
    'fields that others wrote into the items of a list of a custom resource',
    custom({ items: [{ name: 'a' }] }),
    from(custom({ items: [{ name: 'a' }] }), custom({ items: [{ name: 'a', weight: 1 }] })),
    [],
  ],
  ['an untested field', deployment({ newer: 1 }), deployment({}), ['spec.newer']],
  ['a custom resource keeps zeros and empties', custom({ on: false, list: [] }), custom({}), ['spec.on', 'spec.list']],
  [
    'items that others appended to a list of a custom resource',
    custom({ items: [{ name: 'a' }] }),
    custom({ items: [{ name: 'a' }, { name: 'b' }] }),
    [],
  ],
  [
    'an item of a custom resource that changed',
    custom({ items: [{ name: 'a' }] }),
    custom({ items: [{ name: 'c' }, { name: 'b' }] }),
    ['spec.items'],
  ],
  ['a type that changed', custom({ a: { b: 1 } }), custom({ a: 'text' }), ['spec.a']],
  [
    'an invalid last-applied annotation counts as absent',
    configMap({ a: '1' }),
    configMap({ a: '1', b: '2' }, { annotations: { [lastAppliedAnnotation]: '{' } }),
    [],
  ],
];
for (const [title, desired, live, changed] of cases) {
  test(`diff: ${title}`, () => {
    const difference = diff(desired, live);
    assert.deepEqual(difference.fields, changed);
    assert.equal(difference.modified, changed.length > 0);
    assert.deepEqual(diff(desired, difference.predicted).fields, [], 'the predicted object has no difference');
  });
}

test('the objects compared are not changed', () => {
  const [desired, live] = [
    deployment({ replicas: 1 }),
    from(deployment({ paused: true }), deployment({ paused: true })),
  ];
  const copies = structuredClone([desired, live]);
  diff(desired, live);
  assert.deepEqual([desired, live], copies);
});

test('an empty list that the server writes as null is not a difference, either way', () => {
  const role = (rules: Json): KubeObject =>
    ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r' },
      rules,
    }) as unknown as KubeObject;
  assert.deepEqual(diff(role([]), role(null)).fields, []);
  assert.deepEqual(diff(role(null), role(null)).fields, []);
  assert.deepEqual(diff(role([{ verbs: ['get'] }]), role(null)).fields, ['rules']);
});
