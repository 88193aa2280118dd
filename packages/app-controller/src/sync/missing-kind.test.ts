import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKinds, resourceIdOf } from '@fairlead/engine';
import { missingKind } from './missing-kind.ts';

const verbs = ['list', 'watch', 'delete'];
const kinds = createKinds([
  { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true, verbs },
]);
const said = (apiVersion: string, kind: string) => {
  const object = { apiVersion, kind, metadata: { namespace: 'web', name: 'd' } };
  const { reason, message } = missingKind(kinds, object, resourceIdOf(object));
  return [reason, message];
};

test('a kind that the cluster does not serve has the same message as in Argo CD, and the served versions are named', () => {
  assert.deepEqual(said('apps/v1beta1', 'Deployment'), [
    'failed to discover server resources for group version apps/v1beta1: the server could not find the requested resource',
    'The Kubernetes API could not find version "v1beta1" of apps/Deployment for requested resource web/d. Version "v1" of apps/Deployment is installed on the destination cluster.',
  ]);
  assert.deepEqual(said('example.com/v1', 'Widget'), [
    'failed to discover server resources for group version example.com/v1: the server could not find the requested resource',
    'The Kubernetes API could not find example.com/Widget for requested resource web/d. Make sure the "Widget" CRD is installed on the destination cluster.',
  ]);
  assert.deepEqual(said('apps/v1', 'Deploymnt'), ['Deploymnt.apps "" not found', 'Deploymnt.apps "" not found']);
  assert.equal(
    said('extensions/v1beta1', 'Deployment')[1],
    'The Kubernetes API could not find version "v1beta1" of extensions/Deployment for requested resource web/d. Version "v1" of apps/Deployment is installed on the destination cluster.',
  );
  assert.equal(
    said('', 'ConfigMap')[0],
    "failed to discover server resources for group version : groupVersion shouldn't be empty",
  );
});
