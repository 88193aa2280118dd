import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { defaultTracker, ownerOf, parseTrackingId, trackingAnnotation, trackingId, trackingName } from './tracking.ts';

const object = (kind: string, apiVersion: string, namespace: string | undefined, name: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace ? { namespace } : {}) },
});

test('the tracking id of an object names its Application', () => {
  const marked = defaultTracker.mark(object('Deployment', 'apps/v1', 'web', 'front'), 'shop');
  assert.equal(marked.metadata.annotations?.[trackingAnnotation], 'shop:apps/Deployment:web/front');
  assert.equal(ownerOf(marked), 'shop');
});

test('tracking ids with core groups, cluster scope and names with colons round-trip', () => {
  const cases = [
    { group: '', kind: 'Service', namespace: 'web', name: 'front' },
    { group: '', kind: 'Namespace', namespace: '', name: 'web' },
    { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', namespace: '', name: 'system:shop:reader' },
  ];
  for (const id of cases) assert.deepEqual(parseTrackingId(trackingId('team_shop', id)), { app: 'team_shop', ...id });
});

test('a copy with the tracking id of another object belongs to no Application', () => {
  const original = defaultTracker.mark(object('ConfigMap', 'v1', 'web', 'a'), 'shop');
  for (const change of [{ name: 'b' }, { namespace: 'other' }]) {
    assert.equal(ownerOf({ ...original, metadata: { ...original.metadata, ...change } }), undefined);
  }
  assert.equal(ownerOf({ ...original, kind: 'Secret' }), undefined);
  assert.equal(
    ownerOf({ ...original, metadata: { ...original.metadata, annotations: { [trackingAnnotation]: 'nonsense' } } }),
    undefined,
  );
});

test('an Application outside the namespace of the control plane is identified by namespace and name', () => {
  assert.equal(trackingName({ namespace: 'argocd', name: 'shop' }, 'argocd'), 'shop');
  assert.equal(trackingName({ namespace: 'team', name: 'shop' }, 'argocd'), 'team_shop');
});
