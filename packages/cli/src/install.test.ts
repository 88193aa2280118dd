import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError, crdType, type KubeObject } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { ensure } from './install.ts';

const definition = (group: string, annotations?: Record<string, string>): KubeObject & { spec: object } => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com', ...(annotations ? { annotations } : {}) },
  spec: { group },
});

/** The patches that are sent if this object exists. */
async function patches(live: KubeObject): Promise<unknown[]> {
  const sent: unknown[] = [];
  const client: Pick<ApiClient, 'create' | 'get' | 'patch'> = {
    create: () => Promise.reject(apiError(409, 'AlreadyExists', 'it exists')),
    get: <T extends KubeObject>() => Promise.resolve(live as T),
    patch: <T extends KubeObject>(...[, , , body]: Parameters<ApiClient['patch']>) => {
      sent.push(body);
      return Promise.resolve(live as T);
    },
  };
  await ensure(client, crdType, definition('example.com'), 'update');
  return sent;
}

test('an installed object that differs is updated', async () => {
  assert.deepEqual(await patches(definition('old.example.com')), [{ spec: { group: 'example.com' } }]);
  assert.deepEqual(await patches(definition('example.com')), []);
});

test('an object that an Application manages is not overwritten', async () => {
  const annotations = {
    'argocd.argoproj.io/tracking-id': 'crds:apiextensions.k8s.io/CustomResourceDefinition:/widgets',
  };
  assert.deepEqual(await patches(definition('newer.example.com', annotations)), []);
});
