import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdOf, kinds } from '@fairlead/api';
import type { ObjectMeta } from '@fairlead/apimachinery';
import { otherManager } from './other-manager.ts';

const marked = (metadata: Partial<ObjectMeta>) =>
  otherManager({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } });

test('an object that an Application, Helm or kubectl apply manages is recognized by labels and annotations', () => {
  assert.equal(
    marked({ annotations: { 'argocd.argoproj.io/tracking-id': 'crds:apiextensions.k8s.io/…' } }),
    'annotation argocd.argoproj.io/tracking-id',
  );
  assert.match(marked({ annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } }) ?? '', /kubectl/);
  assert.match(marked({ annotations: { 'meta.helm.sh/release-name': 'argo' } }) ?? '', /helm/);
  assert.match(marked({ labels: { 'app.kubernetes.io/instance': 'crds' } }) ?? '', /instance/);
  const managedFields = (operation: 'Apply' | 'Update') => [{ manager: 'argocd-controller', operation }];
  assert.equal(marked({ managedFields: managedFields('Apply') }), 'field manager argocd-controller');
  assert.equal(marked({ managedFields: managedFields('Update') }), undefined, 'conditions are written by others');
});

test('an object installed by Fairlead has none of these labels and annotations', () => {
  for (const kind of kinds) assert.equal(otherManager(crdOf(kind)), undefined, kind.type.kind);
});
