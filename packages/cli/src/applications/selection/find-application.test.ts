import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { apiError, type KubeObject } from '@fairlead/apimachinery';
import { storeResources } from '@fairlead/app-controller';
import type { ApiClient } from '@fairlead/kube';
import { application, resource } from '../../../test/support/application.ts';
import { findApplication, keyFrom, showKey, withAllObjects } from './find-application.ts';

const having = (...applications: Application[]): ApiClient =>
  ({
    get: async (_: unknown, { namespace, name }: { namespace: string; name: string }) => {
      const found = applications.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
      if (!found) throw apiError(404, 'NotFound', 'not found', { name });
      return found;
    },
    list: async () => ({ items: applications, resourceVersion: '1' }),
  }) as unknown as ApiClient;

test('parses a name with or without namespace', () => {
  assert.deepEqual(keyFrom('web', undefined), { namespace: 'argocd', name: 'web' });
  assert.deepEqual(keyFrom('web', 'team'), { namespace: 'team', name: 'web' });
  assert.deepEqual(keyFrom('team/web', undefined), { namespace: 'team', name: 'web' });
  assert.deepEqual(keyFrom('application/web', undefined), { namespace: 'argocd', name: 'web' });
  assert.equal(showKey({ namespace: 'argocd', name: 'web' }), 'web');
  assert.equal(showKey({ namespace: 'team', name: 'web' }), 'team/web');
});

test('the error for an unknown Application suggests a similar name', async () => {
  const client = having(application({ name: 'frontend' }), application({ name: 'db', namespace: 'team' }));
  const wrong = (name: string, all = client) =>
    findApplication(all, { namespace: 'argocd', name }).catch((error: Error) => error.message);
  assert.match(String(await wrong('frontent')), / \(did you mean frontend\?\)$/);
  assert.match(String(await wrong('front')), / \(did you mean frontend\?\)$/);
  assert.match(String(await wrong('db')), /: it is in team, add -n team$/);
  assert.match(String(await wrong('zzz')), /: fairlead get apps lists them$/);
  assert.match(String(await wrong('zzz', having())), /: fairlead app create creates one$/);
});

test('the objects of a very large Application are read from separate storage', async () => {
  let stored: KubeObject | undefined;
  const client = {
    create: async (_: unknown, object: KubeObject) => (stored = object),
    get: async () => stored,
  } as unknown as ApiClient;
  const all = [resource('ConfigMap', 'a'), resource('ConfigMap', 'b')];
  const large = application({
    status: { resources: [all[0]!], conditions: [{ type: 'ResourcesMoved', message: '2 resources' }] },
  });
  await storeResources(client, large, all, undefined);
  assert.deepEqual((await withAllObjects(client, large)).status?.resources, all);
  const small = application({ status: { resources: all } });
  assert.equal(await withAllObjects(client, small), small, 'nothing is read for other Applications');
});
