import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalize } from '../decode/normalize.ts';
import type { KubeObject } from '../meta/object.ts';
import { schemaOf } from '../schema/type-table.ts';
import { applyDefaults, defaultedKinds, defaultsFor } from './table.ts';

const schemaFor = ({ apiVersion, kind }: KubeObject) => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const schema = schemaOf(group, version, kind);
  assert.ok(schema, `the type table lacks ${apiVersion} ${kind}`);
  return schema;
};

const defaulted = <T extends KubeObject>(given: T): T => {
  const object = normalize(given, schemaFor(given));
  applyDefaults(object);
  return object;
};

for (const key of defaultedKinds) {
  test(`defaults of ${key} are idempotent and survive normalization`, () => {
    const slash = key.lastIndexOf('/');
    const object = defaulted({ apiVersion: key.slice(0, slash), kind: key.slice(slash + 1), metadata: { name: 'a' } });
    const again = structuredClone(object);
    applyDefaults(again);
    assert.deepEqual(again, object);
    assert.deepEqual(normalize(object, schemaFor(object)), object);
  });
}

test('a Deployment gets the defaults of its template too', () => {
  const { spec } = defaulted({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'nginx:1.29', ports: [{ containerPort: 80 }], env: null }] },
      },
    },
  });
  assert.deepEqual(spec, {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'nginx:1.29',
            imagePullPolicy: 'IfNotPresent',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
    },
  });
});

test('stringData of a Secret becomes data', () => {
  const { data, type } = defaulted({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a' },
    type: '',
    data: {},
    stringData: { key: 'value' },
  });
  assert.deepEqual({ data, type }, { data: { key: 'dmFsdWU=' }, type: 'Opaque' });
});

test('the names of a CustomResourceDefinition default from its kind', () => {
  const { spec } = defaulted({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions: [] },
  });
  assert.deepEqual(spec.names, { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' });
});

test('an object of another kind is unchanged', () => {
  const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };
  applyDefaults(object);
  assert.deepEqual(object, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } });
  assert.equal(defaultsFor('', 'v1', 'ConfigMap'), undefined);
});
