/** ApplicationSets and notifications over REST and gRPC: reading, writing, generating, rights, and what is recorded. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applicationKind, applicationSetKind } from '@fairlead/api';
import { configMapType, type JsonObject, objectsAt, textAt } from '@fairlead/apimachinery';
import { createForgeHttp } from '@fairlead/app-controller';
import { eventsType, type KubeEvent, sleep, systemClock } from '@fairlead/kube';
import { Installation, namespace, put } from './support/full-installation.ts';
import { TestGrpcClient } from './support/grpc-client.ts';

const forges = createForgeHttp({ clock: systemClock, environment: {} });
const audit: string[] = [];
let installation: Installation;
let repository = '';

const setNamed = (name: string, elements: readonly object[], project = 'default'): JsonObject => ({
  metadata: { name },
  spec: {
    generators: [{ list: { elements: elements.map((element) => ({ ...element })) } }],
    template: {
      metadata: { name: `${name}-{{env}}` },
      spec: {
        project,
        source: { repoURL: repository, path: '.', targetRevision: 'HEAD' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      },
    },
  },
});

before(async () => {
  installation = await Installation.start({
    policy: 'p, dev, applicationsets, get, default/*, allow\np, dev, applicationsets, create, default/dev-*, allow\n',
    generators: { forges, environment: {} },
    auditSink: (line) => audit.push(line),
  });
  repository = installation.repository('sets', { 'teams/blue/a.json': '{}', 'teams/red/a.json': '{}' });
});
after(async () => {
  await installation.close();
  await forges.close();
});

const sets = '/api/v1/applicationsets';

test('an ApplicationSet is created, found, changed only with upsert, and deleted', async () => {
  const created = await installation.call('admin', 'POST', sets, setNamed('one', [{ env: 'a' }]));
  assert.equal(created.status, 200, created.text);
  assert.deepEqual(created.body['status'], { health: {} });
  const again = await installation.call('admin', 'POST', sets, setNamed('one', [{ env: 'a' }]));
  assert.equal(again.status, 200);
  assert.equal(textAt(again.body, 'metadata', 'resourceVersion'), textAt(created.body, 'metadata', 'resourceVersion'));
  const other = setNamed('one', [{ env: 'b' }]);
  assert.equal((await installation.call('admin', 'POST', sets, other)).status, 400);
  const changed = await installation.call('admin', 'POST', `${sets}?upsert=true`, other);
  assert.match(changed.text, /"env":"b"/u);
  const listed = await installation.call('dev', 'GET', `${sets}?projects=default`);
  assert.deepEqual(
    objectsAt(listed.body, 'items').map((item) => textAt(item, 'metadata', 'name')),
    ['one'],
  );
  assert.equal((await installation.call('nobody', 'GET', `${sets}/one`)).status, 403);
  assert.equal((await installation.call('dev', 'DELETE', `${sets}/one`)).status, 403);
  assert.equal((await installation.call('admin', 'DELETE', `${sets}/one`)).status, 200);
  assert.equal((await installation.call('admin', 'GET', `${sets}/one`)).status, 404);
  const lines = audit
    .map((line): JsonObject => JSON.parse(line))
    .filter((line) => line['call'] === 'ApplicationSet.Create');
  assert.deepEqual(lines.map((line) => [textAt(line, 'user'), textAt(line, 'result')]).slice(0, 3), [
    ['admin', 'OK'],
    ['admin', 'OK'],
    ['admin', 'InvalidArgument'],
  ]);
});

test('changes are events of the ApplicationSet; a dry run and a repeated create are not', async () => {
  await installation.call('admin', 'POST', `${sets}?dryRun=true`, setNamed('two', [{ env: 'a' }]));
  await installation.call('admin', 'POST', sets, setNamed('two', [{ env: 'a' }]));
  await installation.call('admin', 'POST', sets, setNamed('two', [{ env: 'a' }]));
  await installation.call('admin', 'POST', `${sets}?upsert=true`, setNamed('two', [{ env: 'b' }]));
  let notes: (string | undefined)[] = [];
  for (let attempt = 0; attempt < 100 && notes.length < 2; attempt++) {
    const { items } = await installation.client.list<KubeEvent>(eventsType, { namespace });
    notes = items.filter(({ regarding }) => regarding?.name === 'two').map(({ note }) => note);
    if (notes.length < 2) await sleep(systemClock, 50);
  }
  assert.deepEqual(notes.sort(), ['admin created ApplicationSet', 'admin updated ApplicationSets spec']);
});

test('Applications are generated from lists and repositories, and nothing is written', async () => {
  const body = setNamed('dev-set', []);
  const fromGit = {
    applicationSet: {
      ...body,
      spec: {
        ...(body['spec'] as JsonObject),
        generators: [{ git: { repoURL: repository, revision: 'HEAD', directories: [{ path: 'teams/*' }] } }],
        template: { metadata: { name: '{{path.basename}}' }, spec: { project: 'default', destination: {} } },
      },
    },
  };
  const answer = await installation.call('dev', 'POST', `${sets}/generate`, fromGit);
  assert.deepEqual(
    objectsAt(answer.body, 'applications').map((one) => textAt(one, 'metadata', 'name')),
    ['blue', 'red'],
  );
  assert.equal(objectsAt(answer.body, 'applications')[0]?.['kind'], undefined);
  const denied = await installation.call('dev', 'POST', `${sets}/generate`, { applicationSet: setNamed('mine', []) });
  assert.equal(denied.status, 403);
  const { items } = await installation.client.list(applicationKind.type, { namespace });
  assert.deepEqual(items, []);
});

test('resources of an ApplicationSet have the status that Applications have now', async () => {
  const { client } = installation;
  const application = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' };
  const spec = { project: 'default', destination: {}, source: { repoURL: repository, path: '.' } };
  const status = { sync: { status: 'Synced' }, health: { status: 'Degraded' } };
  await client.create(applicationKind.type, {
    ...application,
    metadata: { name: 'three-a', namespace },
    ...{ spec, status },
  });
  await installation.call('admin', 'POST', sets, setNamed('three', [{ env: 'a' }]));
  const resources = [{ group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', name: 'three-a', namespace }];
  await client.patch(
    applicationSetKind.type,
    { namespace, name: 'three' },
    'merge',
    { status: { resources } },
    { subresource: 'status' },
  );
  let nodes: JsonObject[] = [];
  for (let attempt = 0; attempt < 100 && textAt(nodes[0] ?? {}, 'health', 'status') === ''; attempt++) {
    nodes = objectsAt((await installation.call('dev', 'GET', `${sets}/three/resource-tree`)).body, 'nodes');
    await sleep(systemClock, 20);
  }
  assert.equal(textAt(nodes[0] ?? {}, 'health', 'status'), 'Degraded');
});

test('gRPC serves the same calls, and a watch reports changes to those who may see them', async () => {
  const token = textAt(
    (await installation.call(undefined, 'POST', '/api/v1/session', { username: 'dev', password: 'password' })).body,
    'token',
  );
  const grpc = new TestGrpcClient(installation.server.port);
  try {
    const stream = grpc.stream('ApplicationSet.Watch', { name: 'dev-four' }, 1, { token });
    const made = await grpc.unary(
      'ApplicationSet.Create',
      { applicationset: setNamed('dev-four', [{ env: 'a' }]) },
      { token },
    );
    assert.equal(textAt(made, 'metadata', 'name'), 'dev-four');
    const [event] = await stream;
    assert.deepEqual(
      [textAt(event, 'type'), textAt(event, 'applicationSet', 'metadata', 'name')],
      ['ADDED', 'dev-four'],
    );
    const generated = await grpc.unary(
      'ApplicationSet.Generate',
      { applicationSet: setNamed('dev-x', [{ env: 'a' }]) },
      { token },
    );
    assert.equal(textAt(objectsAt(generated, 'applications')[0] ?? {}, 'metadata', 'name'), 'dev-x-a');
    const services = await grpc.unary('Notification.ListServices', {}, { token });
    assert.deepEqual(objectsAt(services, 'items'), []);
  } finally {
    grpc.close();
  }
});

test('notifications are listed by name, and an invalid part is named without its text', async () => {
  await put(installation.client, configMapType, 'ConfigMap', 'argocd-notifications-cm', {
    data: { 'service.slack': 'token: abc', 'template.a': 'message: hi', 'trigger.b': '- when: "true"\n  send: [a]\n' },
  });
  const names = async (path: string): Promise<string[]> => {
    const { body } = await installation.call('nobody', 'GET', `/api/v1/notifications/${path}`);
    return objectsAt(body, 'items').map((item) => textAt(item, 'name'));
  };
  for (let attempt = 0; attempt < 100 && (await names('services')).length === 0; attempt++)
    await sleep(systemClock, 20);
  assert.deepEqual(
    [await names('services'), await names('templates'), await names('triggers')],
    [['slack'], ['a'], ['b']],
  );
  await installation.client.patch(configMapType, { namespace, name: 'argocd-notifications-cm' }, 'merge', {
    data: { 'service.webhook.hook': 'url: [planted-secret' },
  });
  let answer = await installation.call('nobody', 'GET', '/api/v1/notifications/services');
  for (let attempt = 0; attempt < 100 && answer.status === 200; attempt++) {
    await sleep(systemClock, 20);
    answer = await installation.call('nobody', 'GET', '/api/v1/notifications/services');
  }
  assert.equal(answer.status, 500);
  assert.match(answer.text, /service\.webhook\.hook is not valid/u);
  assert.doesNotMatch(answer.text, /planted-secret/u);
});
