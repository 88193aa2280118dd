import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  agentKind,
  applicationKind,
  crdOf,
  gitopsDeploymentKind,
  imageUpdaterKind,
  prePullImageKind,
  validate,
} from '@fairlead/api';
import {
  crdType,
  type KubeObject,
  leaseType,
  listAt,
  namespaceType,
  type ResourceType,
  textAt,
} from '@fairlead/apimachinery';
import { roleLabel, roleStatusAnnotation, sleep, systemClock } from '@fairlead/kube';
import { type EndpointId, endpointOf } from '../src/fleet/api/endpoints.ts';
import { namespace as home, type Installation, served, startInstallation } from './support/installation.ts';

let installation: Installation;
let url = '';
const tokens = new Map<string, string>();

before(async () => {
  installation = await startInstallation({
    settings: { 'accounts.alice': 'login', 'accounts.bob': 'login', 'accounts.carol': 'login' },
    rbac: {
      'policy.csv': [
        'p, alice, applications, get, default/*, allow',
        'p, carol, clusters, get, *, allow',
        'p, bob, clusters, get, other, allow',
      ].join('\n'),
    },
    passwords: { alice: 'alice-password', bob: 'bob-password', carol: 'carol-password' },
  });
  const { client } = installation;
  for (const kind of [agentKind, gitopsDeploymentKind, imageUpdaterKind, prePullImageKind])
    await client.create(crdType, crdOf(kind));
  await fill();
  ({ url } = await installation.serve());
});
after(() => installation.close());

async function create(type: ResourceType, namespace: string, name: string, rest: object): Promise<KubeObject> {
  const { labels, annotations, ...fields } = rest as { labels?: object; annotations?: object; status?: object };
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  const metadata = { name, namespace, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
  const object = { apiVersion, kind: type.kind, metadata, ...fields } as KubeObject;
  const created = await served(() => installation.client.create(type, object));
  const { status } = fields;
  if (!status || type === applicationKind.type) return created;
  return installation.client.patch(type, { namespace, name }, 'merge', { status }, { subresource: 'status' });
}

async function fill(): Promise<void> {
  for (const name of ['team-a', 'team-b', 'shop']) await create(namespaceType, '', name, {});
  const deployment = (namespace: string, name: string, status: object = {}) =>
    create(gitopsDeploymentKind.type, namespace, name, {
      spec: { source: { repoURL: 'https://git.example.com/shop', path: '.' }, type: 'automated' },
      status: {
        reconciledState: {
          source: { repoURL: '', path: '', branch: '' },
          destination: { name: '', namespace: '' },
        },
        ...status,
      },
    });
  const failing = [
    { type: 'ErrorOccurred', status: 'True', reason: 'QuotaExceeded', message: 'this namespace has reached its limit' },
  ];
  const [own, foreign] = [await deployment('team-a', 'web'), await deployment('team-b', 'secret')];
  await deployment('team-a', 'too-many', { conditions: failing });
  const application = (name: string, project: string, over: { labels?: object; status?: object; operation?: object }) =>
    create(applicationKind.type, home, name, {
      spec: {
        project,
        source: { repoURL: 'https://git.example.com/shop', path: '.' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      },
      ...over,
    });
  const tenant = (uid = '') => ({ databaseID: uid, 'managed-gitops.redhat.com/tenant': 'uid-of-namespace' });
  const state = (phase: string, finishedAt?: string) => ({
    phase,
    startedAt: '2030-01-01T00:00:00Z',
    ...(finishedAt ? { finishedAt } : {}),
    operation: { sync: {}, initiatedBy: { username: 'ann' } },
  });
  await application('web', 'default', {
    labels: tenant(own.metadata.uid),
    status: {
      sync: { status: 'Synced', revision: 'a'.repeat(40) },
      health: { status: 'Healthy' },
      summary: { images: ['nginx:1', 'redis:7'] },
      operationState: state('Succeeded', '2030-01-01T00:01:00Z'),
    },
  });
  await application('api', 'default', {
    status: {
      sync: { status: 'OutOfSync' },
      health: { status: 'Degraded' },
      summary: { images: ['nginx:1'] },
      operationState: state('Running'),
    },
  });
  await application('later', 'default', { status: { operationState: state('Failed', '2030-01-01T00:02:00Z') } });
  await application('hidden', 'other', {
    labels: tenant(foreign.metadata.uid),
    status: { summary: { images: ['private:1'] }, operationState: state('Succeeded', '2030-01-01T00:03:00Z') },
  });
  await create(agentKind.type, home, 'edge', {
    spec: { mode: 'managed' },
    status: { transport: 'Up', data: 'Fresh', live: 'Up', pending: 3, applications: 12, version: '1.0.0' },
  });
  await create(agentKind.type, home, 'other', {
    spec: { mode: 'autonomous', blocked: true },
    status: { transport: 'Down', reason: 'the agent is blocked' },
  });
  await create(imageUpdaterKind.type, home, 'updater', {
    spec: { applicationRefs: [{ namePattern: '*', images: [{ alias: 'web', imageName: 'nginx' }] }] },
    status: { imagesManaged: 2, lastCheckedAt: '2030-01-01T00:00:00Z' },
  });
  await create(prePullImageKind.type, 'shop', 'nginx', {
    spec: { image: 'nginx:1' },
    status: {
      phase: 'InProgress',
      summary: { total: 2, completed: 1, failed: 0, pending: 0, pulling: 1 },
      nodeStatus: [{ node: 'n1', status: 'Completed' }],
    },
  });
  await create(prePullImageKind.type, 'team-b', 'private', { spec: { image: 'private:1' } });
  const lease = (name: string, role: string, renewTime: string, status: object) =>
    create(leaseType, home, name, {
      labels: { [roleLabel]: role },
      annotations: { [roleStatusAnnotation]: JSON.stringify(status) },
      spec: { holderIdentity: `${name}-1`, leaseDurationSeconds: 30, renewTime },
    });
  const now = new Date().toISOString().replace('Z', '000Z');
  await lease('a', 'controller', now, { version: '1.0.0', queues: [{ name: 'refresh', depth: 4, oldestSeconds: 9 }] });
  await lease('b', 'service', '2020-01-01T00:00:00.000000Z', { queues: [], problem: 'the database does not respond' });
  await create(leaseType, home, 'leader', { spec: { holderIdentity: 'x', renewTime: now } });
}

async function get(id: EndpointId, as: string, query = ''): Promise<{ status: number; text: string; body: object }> {
  if (!tokens.has(as)) {
    const answer = await fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: as, password: `${as}-password` }),
    });
    tokens.set(as, textAt(await answer.json(), 'token'));
  }
  const { path, response } = endpointOf(id);
  const answer = await fetch(`${url}/api/fairlead/v1${path}${query}`, {
    headers: { authorization: `Bearer ${tokens.get(as)}` },
  });
  const text = await answer.text();
  const body: object = JSON.parse(text);
  if (answer.status === 200) assert.deepEqual(validate(response ?? {}, body), [], text);
  return { status: answer.status, text, body };
}

/** Watches of other roles' objects are not waited for when the server starts. */
async function listed(id: EndpointId, as: string, count: number, field = 'items'): Promise<object[]> {
  for (let attempt = 0; ; attempt++) {
    const { body, text } = await get(id, as);
    const items = listAt(body, field);
    if (items.length === count || attempt > 100) {
      assert.equal(items.length, count, text);
      return items.map((one) => Object(one));
    }
    await sleep(systemClock, 50);
  }
}

const names = (items: readonly object[]): string[] => items.map((one) => textAt(one, 'name'));

test('tenants are those of visible Applications, with the errors of their deployments', async () => {
  const [tenant] = await listed('listTenants', 'alice', 1);
  assert.deepEqual(tenant, {
    name: 'team-a',
    applications: 1,
    sync: { Synced: 1 },
    health: { Healthy: 1 },
    deployments: 2,
    problems: ['too-many: this namespace has reached its limit'],
  });
  assert.deepEqual(names(await listed('listTenants', 'admin', 2)), ['team-a', 'team-b']);
  await listed('listTenants', 'bob', 0);
});

test('agents need the right to get clusters', async () => {
  const [edge, other] = await listed('listAgents', 'carol', 2);
  assert.deepEqual(edge, {
    name: 'edge',
    mode: 'managed',
    connected: true,
    data: 'Fresh',
    liveAccess: true,
    version: '1.0.0',
    backlog: 3,
    applications: 12,
    quarantined: [],
  });
  assert.equal(textAt(other, 'reason'), 'the agent is blocked');
  assert.deepEqual(names(await listed('listAgents', 'bob', 1)), ['other'], 'the name of the agent is the object');
  await listed('listAgents', 'alice', 0);
});

test('images are counted over visible Applications', async () => {
  const images = await listed('listImages', 'alice', 2);
  assert.deepEqual(images[0], { image: 'nginx:1', applications: [`${home}/api`, `${home}/web`], count: 2 });
  const [updater] = await listed('listImages', 'alice', 1, 'updaters');
  assert.equal(Reflect.get(updater ?? {}, 'images'), 2);
  const { text } = await get('listImages', 'alice');
  assert.ok(!text.includes('private'), text);
  await listed('listImages', 'bob', 0);
  await listed('listImages', 'bob', 0, 'updaters');
});

test('pre-pulls are shown in the namespaces of visible Applications', async () => {
  const [pull] = await listed('listPrePulls', 'alice', 1);
  assert.equal(textAt(pull, 'image'), 'nginx:1');
  assert.equal(Reflect.get(pull ?? {}, 'completed'), 1);
  await listed('listPrePulls', 'carol', 2);
  await listed('listPrePulls', 'bob', 0);
});

test('operations: running first, then by their end, up to the limit', async () => {
  assert.deepEqual(names(await listed('listOperations', 'alice', 3)), ['api', 'later', 'web']);
  const one = await get('listOperations', 'alice', '?limit=1');
  const [first] = listAt(one.body, 'items');
  assert.equal(listAt(one.body, 'items').length, 1);
  assert.equal(textAt(first, 'cluster'), 'in-cluster');
  assert.equal(textAt(first, 'operation', 'initiatedBy'), 'ann');
  for (const query of ['?limit=0', '?limit=1001', '?limit=many', '?size=1'])
    assert.equal((await get('listOperations', 'alice', query)).status, 400, query);
});

test('queues are what roles report, and whether they still run', async () => {
  const roles = await listed('listQueues', 'carol', 2, 'roles');
  assert.equal(textAt(roles[0], 'role'), 'controller');
  assert.equal(Reflect.get(roles[0] ?? {}, 'live'), true);
  assert.equal(Reflect.get(roles[1] ?? {}, 'live'), false);
  assert.equal(textAt(roles[1], 'problem'), 'the database does not respond');
  const [queue] = await listed('listQueues', 'admin', 1);
  assert.equal(textAt(queue, 'name'), 'refresh');
  assert.equal(Reflect.get(queue ?? {}, 'depth'), 4);
  assert.equal((await get('listQueues', 'alice')).status, 403);
  assert.equal((await get('listQueues', 'bob')).status, 403);
});
