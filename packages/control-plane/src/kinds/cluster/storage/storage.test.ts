import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import { create, findings, update } from '../../../../test/support/kind-harness.ts';

const claim = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const volume = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'v' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
});
const storageClass = (name: string, made: string, fields: object = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name,
    creationTimestamp: made,
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
  },
  provisioner: 'a.b/c',
  ...fields,
});
const code = (run: () => unknown): number => {
  try {
    run();
  } catch (error) {
    return error instanceof ApiError ? error.code : 0;
  }
  return 200;
};

test('a PersistentVolumeClaim is Pending, has a finalizer, and gets the newest default class', () => {
  const stored = {
    'storage.k8s.io/storageclasses': [
      storageClass('old', '2026-01-01T00:00:00Z'),
      storageClass('new', '2026-02-01T00:00:00Z'),
    ],
  };
  const { object, errors } = create(claim(), { stored });
  assert.deepEqual(errors, []);
  assert.deepEqual(object.status, { phase: 'Pending' });
  assert.deepEqual(object.metadata.finalizers, ['kubernetes.io/pvc-protection']);
  assert.equal(object.spec['storageClassName'], 'new');
  assert.equal(create(claim({ storageClassName: '' }), { stored }).object.spec['storageClassName'], '');
});

test('dataSource and dataSourceRef set each other; dataSource only for claims and snapshots', () => {
  const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
  assert.deepEqual(create(claim({ dataSource: snapshot })).object.spec['dataSourceRef'], snapshot);
  assert.deepEqual(create(claim({ dataSourceRef: snapshot })).object.spec['dataSource'], snapshot);
  assert.equal(
    create(claim({ dataSource: { kind: 'Other', apiGroup: 'a.b', name: 'x' } })).object.spec['dataSource'],
    undefined,
  );
});

test('a claim is bound once, and its spec is immutable', () => {
  const { object } = create(claim());
  const bound = update(object, ({ spec }) => Object.assign(spec, { volumeName: 'v' }));
  assert.deepEqual(bound.errors, []);
  const moved = update(bound.object, ({ spec }) => Object.assign(spec, { volumeName: 'w' }));
  assert.deepEqual(findings(moved), ['Forbidden spec']);
  assert.match(moved.errors[0]!.message, /-{1} "VolumeName": "v",\n\+ "VolumeName": "w",/);
});

test('a bound claim can grow if its class permits it, and cannot shrink below its capacity', () => {
  const { object } = create(claim({ storageClassName: 'big' }));
  Object.assign(object.status, { phase: 'Bound', capacity: { storage: '1Gi' } });
  const resize = (storage: string, allowVolumeExpansion: boolean) => () => {
    const stored = { 'storage.k8s.io/storageclasses': [storageClass('big', '', { allowVolumeExpansion })] };
    const result = update(object, ({ spec }) => Object.assign(spec, { resources: { requests: { storage } } }), {
      stored,
    });
    if (result.errors.length > 0) throw new Error(findings(result).join());
  };
  assert.equal(code(resize('2Gi', true)), 200);
  assert.equal(code(resize('2Gi', false)), 403);
  assert.throws(resize('512Mi', true), /Forbidden spec.resources.requests.storage/);
});

test('a claim respects the LimitRange of its namespace', () => {
  const limits = [{ type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '4Gi' } }];
  const stored = { 'core/limitranges': [{ metadata: { name: 'l', namespace: 'default' }, spec: { limits } }] };
  const ask = (storage: string) => () => create(claim({ resources: { requests: { storage } } }), { stored });
  assert.equal(code(ask('1Gi')), 403);
  assert.equal(code(ask('3Gi')), 200);
  assert.equal(code(ask('5Gi')), 403);
});

test('a fraction of a byte gives a warning', () => {
  const { warnings } = create(claim({ resources: { requests: { storage: '1500m' } } }));
  assert.equal(warnings.length, 1);
});

test('a volume has defaults inside its source, too', () => {
  const { object, errors } = create(volume({ hostPath: { path: '/a' } }));
  assert.deepEqual(errors, []);
  assert.deepEqual(object.spec['hostPath'], { path: '/a', type: '' });
  assert.equal(object.spec['persistentVolumeReclaimPolicy'], 'Retain');
  assert.deepEqual(object.status, { phase: 'Pending', lastPhaseTransitionTime: '2026-01-01T00:00:00Z' });
  assert.deepEqual(object.metadata.finalizers, ['kubernetes.io/pv-protection']);
});

const volumes: [string, object, string[]][] = [
  ['no source', {}, ['Required spec']],
  ['two sources', { nfs: { server: 's', path: '/' }, hostPath: { path: '/' } }, ['Forbidden spec.nfs']],
  ['a local volume anywhere', { local: { path: '/a' } }, ['Required spec.nodeAffinity']],
  ['a driver without a handle', { csi: { driver: 'd' } }, ['Required spec.csi.volumeHandle']],
  [
    'a secret without a namespace',
    { cinder: { volumeID: 'v', secretRef: { name: 's' } } },
    ['Required spec.cinder.secretRef.namespace'],
  ],
  [
    'a recycled root',
    { hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' },
    ['Forbidden spec.persistentVolumeReclaimPolicy'],
  ],
  ['no capacity', { capacity: { cpu: '1' }, nfs: { server: 's', path: '/' } }, ['NotSupported spec.capacity']],
  [
    'attributes without a driver',
    { nfs: { server: 's', path: '/' }, volumeAttributesClassName: 'a' },
    ['Required spec.csi'],
  ],
];
for (const [what, spec, expected] of volumes) {
  test(`a volume with ${what}: ${expected.join(', ')}`, () => {
    assert.deepEqual(findings(create(volume(spec))), expected);
  });
}

test('the source of a volume is immutable, its capacity may change', () => {
  const { object } = create(volume({ nfs: { server: 's', path: '/' } }));
  assert.deepEqual(update(object, ({ spec }) => Object.assign(spec, { capacity: { storage: '2Gi' } })).errors, []);
  const moved = update(object, ({ spec }) => Object.assign(spec, { nfs: { server: 't', path: '/' } }));
  assert.deepEqual(findings(moved), ['Forbidden spec.persistentvolumesource']);
});

test('lastPhaseTransitionTime changes with the phase', () => {
  const { object } = create(volume({ nfs: { server: 's', path: '/' } }));
  Object.assign(object.status, { lastPhaseTransitionTime: '2020-01-01T00:00:00Z' });
  const stay = update(object, ({ status }) => delete status['lastPhaseTransitionTime'], { subresource: 'status' });
  assert.equal(stay.object.status['lastPhaseTransitionTime'], '2020-01-01T00:00:00Z');
  const move = update(object, ({ status }) => Object.assign(status, { phase: 'Bound' }), { subresource: 'status' });
  assert.equal(move.object.status['lastPhaseTransitionTime'], '2026-01-01T00:00:00Z');
});

test('a StorageClass is immutable except for additions', () => {
  const { object } = create(storageClass('a', '', { parameters: { b: '1', a: '2' } }));
  const next = update(object, (draft) =>
    Object.assign(draft, { provisioner: 'x.y/z', allowVolumeExpansion: true, parameters: { b: '1', a: '3' } }),
  );
  assert.deepEqual(findings(next), ['Invalid parameters', 'Invalid provisioner']);
  assert.match(next.errors[0]!.message, /\{"a":"3","b":"1"\}/);
});

test('an empty topology term is a duplicate, even of itself', () => {
  const fields = (allowedTopologies: object[]): string[] =>
    create(storageClass('a', '2020-01-01T00:00:00Z', { allowedTopologies })).errors.map(({ field }) => field);
  const zone = { matchLabelExpressions: [{ key: 'zone', values: ['a'] }] };
  assert.deepEqual(fields([zone]), []);
  assert.deepEqual(fields([zone, zone]), ['allowedTopologies[1].matchLabelExpressions']);
  assert.deepEqual(fields([{}]), ['allowedTopologies[0].matchLabelExpressions']);
});

test('a CSIDriver starts without a generation', () => {
  const driver = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'd', generation: 1 } };
  assert.equal(create(driver).object.metadata.generation, undefined);
});
