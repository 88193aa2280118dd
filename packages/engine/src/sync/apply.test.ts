import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError, type KubeObject, must, type ResourceType, textAt, unstructured } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { SimApiServer, Simulation } from '@fairlead/sim';
import { lastAppliedAnnotation } from '../diff/last-applied.ts';
import { compacted } from '../live/managed-fields.ts';
import { apply } from './apply.ts';

const type: ResourceType = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const key = { namespace: 'web', name: 'a' };
const configMap = (data: Record<string, string>): KubeObject & { data: Record<string, string> } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...key },
  data,
});

const boundClient = (client: ApiClient): ApiClient => ({
  get: client.get.bind(client),
  list: client.list.bind(client),
  watch: client.watch.bind(client),
  create: client.create.bind(client),
  replace: client.replace.bind(client),
  patch: client.patch.bind(client),
  delete: client.delete.bind(client),
  deleteCollection: client.deleteCollection.bind(client),
});

async function withServer<T>(run: (client: ApiClient, server: SimApiServer) => Promise<T>): Promise<T> {
  const sim = new Simulation(1);
  const server = new SimApiServer(sim);
  const result = run(server.client(sim.process('test')), server);
  let ended = false;
  void result.finally(() => (ended = true)).catch(() => {});
  await sim.reach(() => ended, 600_000);
  return result;
}

test('created, unchanged, configured; fields of others remain, fields that we dropped are removed', () =>
  withServer(async (client, server) => {
    assert.equal(await apply(client, type, configMap({ a: '1', b: '2' })), 'configmap/a created');
    const revision = server.store.revision;
    assert.equal(await apply(client, type, configMap({ a: '1', b: '2' })), 'configmap/a unchanged');
    assert.equal(server.store.revision, revision, 'nothing is written without changes');
    const live = server.store.get(type, key) as ReturnType<typeof configMap>;
    server.store.replace(type, { ...live, data: { ...live.data, theirs: 'x' } } as KubeObject);
    assert.equal(await apply(client, type, configMap({ a: '9' })), 'configmap/a configured');
    const after = server.store.get(type, key) as ReturnType<typeof configMap>;
    assert.deepEqual(after.data, { a: '9', theirs: 'x' });
    assert.equal(
      after.metadata.annotations?.[lastAppliedAnnotation],
      `${JSON.stringify({ apiVersion: 'v1', data: { a: '9' }, kind: 'ConfigMap', metadata: { annotations: {}, name: 'a', namespace: 'web' } })}\n`,
    );
  }));

test('an object created by hand is adopted without losing its fields', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ theirs: 'x' }));
    assert.match(
      await apply(client, type, configMap({ a: '1' })),
      /^configmap\/a configured\. Warning: resource configmaps\/a is missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation/,
    );
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { theirs: 'x', a: '1' });
  }));

test('a concurrent write between read and write is not overwritten', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ n: '0' }));
    let interfered = false;
    const racing = Object.create(client, {
      patch: {
        value: (...args: Parameters<ApiClient['patch']>) => {
          const live = server.store.get(type, key) as ReturnType<typeof configMap>;
          if (!interfered)
            server.store.replace(type, { ...live, data: { ...live.data, theirs: 'late' } } as KubeObject);
          interfered = true;
          return client.patch(...args);
        },
      },
      get: { value: client.get.bind(client) },
    }) as ApiClient;
    assert.match(await apply(racing, type, configMap({ n: '1' })), /^configmap\/a configured/);
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { n: '1', theirs: 'late' });
  }));

test('ignored fields are not changed', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ a: 'theirs', b: '0' }));
    assert.match(
      await apply(client, type, configMap({ a: 'ours', b: '1' }), { ignore: ['/data/a'] }),
      /^configmap\/a configured/,
    );
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { a: 'theirs', b: '1' });
  }));

test('replace overwrites the whole object', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ theirs: 'x' }));
    assert.equal(await apply(client, type, configMap({ a: '1' }), { replace: true }), 'configmap/a replaced');
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { a: '1' });
  }));

test('fields of the manager of the last-applied annotation are migrated to server-side apply, which is then sent again', () =>
  withServer(async (client) => {
    const owned = (names: readonly string[]) =>
      names.map((manager) => ({
        manager,
        operation: 'Update' as const,
        fieldsType: 'FieldsV1' as const,
        fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${lastAppliedAnnotation}`]: {} } } },
      }));
    const calls: string[] = [];
    let owners = ['before-first-apply'];
    const noted = Object.create(client, {
      patch: {
        value: async (...[, , patchType, body]: Parameters<ApiClient['patch']>) => {
          calls.push(patchType);
          if (patchType === 'json') owners = [];
          const { metadata } = configMap({ a: '1' });
          return patchType === 'json'
            ? body
            : { ...configMap({}), metadata: { ...metadata, managedFields: owned(owners) } };
        },
      },
    }) as ApiClient;
    await apply(noted, type, configMap({ a: '1' }), { serverSide: true, live: 'none' });
    assert.deepEqual(calls, ['apply', 'json', 'apply']);
  }));

test('server-side apply uses our field manager and force', () =>
  withServer(async (client) => {
    const calls: unknown[][] = [];
    const noted = Object.create(client, {
      patch: {
        value: async (...args: unknown[]) => {
          calls.push(args);
          return configMap({});
        },
      },
    }) as ApiClient;
    assert.equal(
      await apply(noted, type, configMap({ a: '1' }), { serverSide: true, live: 'none' }),
      'configmap/a serverside-applied',
    );
    assert.deepEqual(calls, [
      [
        type,
        key,
        'apply',
        configMap({ a: '1' }),
        { fieldManager: 'argocd-controller', fieldValidation: 'Ignore', force: true },
      ],
    ]);
  }));

/** The client, with the verbs of its requests. */
function counting(client: ApiClient): { readonly client: ApiClient; readonly verbs: string[] } {
  const verbs: string[] = [];
  const bound = boundClient(client);
  const noting = <K extends 'get' | 'create' | 'patch' | 'replace' | 'delete'>(verb: K): ApiClient[K] =>
    ((...args: never[]) => {
      verbs.push(verb);
      return (bound[verb] as (...all: never[]) => unknown)(...args);
    }) as ApiClient[K];
  const counted = {
    get: noting('get'),
    create: noting('create'),
    patch: noting('patch'),
    replace: noting('replace'),
    delete: noting('delete'),
  };
  return { client: { ...bound, ...counted }, verbs };
}

test('an object that is expected to be new is created without a read; if it exists, it is patched and not overwritten', () =>
  withServer(async (base, server) => {
    const { client, verbs } = counting(base);
    assert.equal(await apply(client, type, configMap({ a: '1' }), { live: 'none' }), 'configmap/a created');
    assert.deepEqual(verbs.splice(0), ['create']);
    const live = server.store.get(type, key) as ReturnType<typeof configMap>;
    server.store.replace(type, { ...live, data: { ...live.data, theirs: 'x' } } as KubeObject);
    assert.equal(await apply(client, type, configMap({ a: '2' }), { live: 'none' }), 'configmap/a configured');
    assert.deepEqual(verbs, ['create', 'get', 'patch']);
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { a: '2', theirs: 'x' });
  }));

test('a cached object costs one request, or none; a stale one a conflict and a read', () =>
  withServer(async (base, server) => {
    const { client, verbs } = counting(base);
    await apply(client, type, configMap({ a: '1' }), { live: 'none' });
    const known = must(server.store.get(type, key), 'live');
    verbs.length = 0;
    assert.equal(await apply(client, type, configMap({ a: '1' }), { live: known }), 'configmap/a unchanged');
    assert.deepEqual(verbs, []);
    assert.equal(await apply(client, type, configMap({ a: '2' }), { live: known }), 'configmap/a configured');
    assert.deepEqual(verbs.splice(0), ['patch']);
    assert.equal(await apply(client, type, configMap({ a: '3' }), { live: known }), 'configmap/a configured');
    assert.deepEqual(verbs, ['patch', 'get', 'patch']);
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { a: '3' });
  }));

test('server-side apply of an object that is cached as server-side applied reads nothing', () =>
  withServer(async (base) => {
    const { client, verbs } = counting({ ...boundClient(base), patch: async () => configMap({}) as never });
    const applied = { ...configMap({ a: '1' }), metadata: { ...key, managedFields: [ssaEntry] } };
    await apply(client, type, configMap({ a: '2' }), { serverSide: true, live: compacted(applied) });
    assert.deepEqual(verbs, ['patch']);
  }));

const ssaEntry = { manager: 'argocd-controller', operation: 'Apply' as const, fieldsV1: { 'f:data': {} } };

test('force with replace deletes and creates for any change; CRDs and Namespaces are updated', () =>
  withServer(async (base, server) => {
    const { client, verbs } = counting(base);
    server.store.create(type, configMap({ a: '1' }));
    assert.equal(
      await apply(client, type, configMap({ a: '2' }), { replace: true, force: true }),
      'configmap "a" deleted from web namespace\nconfigmap/a replaced',
    );
    assert.deepEqual(verbs.splice(0), ['get', 'delete', 'create']);
    const namespaces: ResourceType = { ...type, kind: 'Namespace', plural: 'namespaces', namespaced: false };
    const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } };
    server.store.create(namespaces, namespace);
    assert.equal(await apply(client, namespaces, namespace, { replace: true, force: true }), 'Namespace/web updated');
    assert.deepEqual(verbs, ['get', 'replace']);
  }));

test('a rejection is reported with the attempted change, as kubectl does', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ a: '1' }));
    const invalid = apiError(422, 'Invalid', 'ConfigMap "a" is invalid: data: Forbidden');
    const refusing: ApiClient = {
      ...boundClient(client),
      patch: () => Promise.reject(invalid),
      replace: () => Promise.reject(invalid),
    };
    await assert.rejects(apply(refusing, type, configMap({ a: '2' })), {
      message: `error when patching "configmap/a": ${invalid.message}`,
    });
    await assert.rejects(apply(refusing, type, configMap({ a: '2' }), { replace: true }), {
      message: `error when replacing "configmap/a": ${invalid.message}`,
    });
    await assert.doesNotReject(apply(refusing, type, configMap({ a: '2' }), { force: true }));
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { a: '2' });
  }));

test('a rejection is reported without Go maps and without a trailing line break', () =>
  withServer(async (client) => {
    const refusing: ApiClient = {
      ...boundClient(client),
      create: () => Promise.reject(apiError(422, 'Invalid', 'ConfigMap "a" is invalid: map[a:1]: Forbidden\n+ b\n')),
    };
    await assert.rejects(apply(refusing, type, configMap({ a: '1' })), {
      message: 'ConfigMap "a" is invalid: : Forbidden\n+ b',
    });
  }));

test('a live object whose last-applied annotation is not JSON is not patched', () =>
  withServer(async (client, server) => {
    const broken = { ...key, annotations: { [lastAppliedAnnotation]: 'not json' } };
    server.store.create(type, { ...configMap({ a: '1' }), metadata: broken });
    await assert.rejects(
      apply(client, type, configMap({ a: '2' })),
      /last-applied-configuration of the live object is not JSON/,
    );
  }));

const roles: ResourceType = {
  ...type,
  group: 'rbac.authorization.k8s.io',
  kind: 'RoleBinding',
  plural: 'rolebindings',
};
const binding = (role: string): KubeObject =>
  unstructured({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { namespace: 'web', name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
    subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'web' }],
  });

test('a RoleBinding is created with one request, left unchanged, and recreated for another role', () =>
  withServer(async (base, server) => {
    const { client, verbs } = counting(base);
    const name = 'rolebinding.rbac.authorization.k8s.io/b';
    const created = await apply(client, roles, binding('r1'), { live: 'none' });
    assert.ok(
      created.startsWith(
        `${name} reconciled. reconciliation required create\n\tmissing subjects added:\n\t\t{Kind:ServiceAccount APIGroup: Name:s Namespace:web}${name} configured. Warning: resource rolebindings/b is missing`,
      ),
      created,
    );
    assert.deepEqual(verbs.splice(0), ['create']);
    assert.equal(await apply(client, roles, binding('r1')), `${name} reconciled${name} unchanged`);
    assert.deepEqual(verbs.splice(0), ['get']);
    const recreated = await apply(client, roles, binding('r2'));
    assert.ok(
      recreated.startsWith(`${name} reconciled. reconciliation required recreate${name} configured. Warning`),
      recreated,
    );
    assert.deepEqual(verbs, ['get', 'delete', 'create']);
    const live = server.store.get(roles, { namespace: 'web', name: 'b' });
    assert.equal(textAt(live, 'roleRef', 'name'), 'r2');
    assert.ok(live?.metadata.annotations?.[lastAppliedAnnotation]);
  }));

test('an object that was created again between the rejection and the deletion is not deleted', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ a: '1' }));
    let successor: string | undefined;
    const refusing: ApiClient = {
      ...boundClient(client),
      patch: async (...args) => {
        if (successor !== undefined) return client.patch(...args);
        server.store.delete(type, key);
        successor = server.store.create(type, configMap({ a: '1' })).metadata.uid;
        throw apiError(422, 'Invalid', 'field is immutable');
      },
    };
    await apply(refusing, type, configMap({ a: '2' }), { force: true });
    const live = server.store.get(type, key);
    assert.equal(live?.metadata.uid, successor);
    assert.equal(textAt(live, 'data', 'a'), '2');
  }));
