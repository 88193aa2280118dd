/** The event stream of the fleet API over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applicationKind } from '@fairlead/api';
import { configMapType } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import type { ApplicationPage } from '../src/fleet/api/application-shapes.ts';
import { EventReader } from './support/event-reader.ts';
import { appWith, ask, read, setStatus, until } from './support/fleet.ts';
import { namespace, project, startTestServer, type TestServer } from './support/test-server.ts';

let server: TestServer;
let admin: string;
let alice: string;

before(async () => {
  server = await startTestServer();
  [admin, alice] = await Promise.all([server.tokenOf('admin'), server.tokenOf('alice')]);
  await server.create(project('secret'));
});

after(() => server.close());

const remove = (name: string) => server.client.delete(applicationKind.type, { namespace, name });

test('a stream reports each change, and continues after the version of a list', async () => {
  const { version } = await read<ApplicationPage>(server, admin, '/applications');
  const reader = await EventReader.open(server, admin, `?since=${version}`);
  await server.create(appWith('one'));
  await setStatus(server.client, 'one', { health: { status: 'Degraded' } });
  await remove('one');
  await reader.until(({ changes }) => changes.length === 3);
  assert.deepEqual(reader.changes, ['ADDED one', 'MODIFIED one', 'DELETED one']);
  reader.close();
  const again = await EventReader.open(server, admin, '', version);
  await again.until(({ changes }) => changes.length === 3);
  assert.deepEqual(again.changes, reader.changes);
  assert.ok(!again.has('reload'));
  again.close();
});

test('a client that connects again misses nothing and receives nothing twice', async () => {
  const first = await EventReader.open(server, admin);
  await first.until(({ lastId }) => lastId !== '');
  await server.create(appWith('two'));
  await first.until(({ changes }) => changes.length === 1);
  first.close();
  await setStatus(server.client, 'two', { health: { status: 'Degraded' } });
  await remove('two');
  const second = await EventReader.open(server, admin, '', first.lastId);
  await second.until(({ changes }) => changes.length === 2);
  assert.deepEqual(second.changes, ['MODIFIED two', 'DELETED two']);
  second.close();
});

test('an id of another process is answered with reload, and the stream goes on', async () => {
  for (const id of ['0123456789ab-17', 'nonsense', '-1', '999999999999999999999-1']) {
    const reader = await EventReader.open(server, admin, '', id);
    await reader.until((one) => one.has('reload'));
    assert.equal(reader.events[0]?.event, 'reload');
    reader.close();
  }
  const reader = await EventReader.open(server, admin, '?since=old');
  await reader.until((one) => one.has('reload'));
  await server.create(appWith('three'));
  await reader.until(({ changes }) => changes.length === 1);
  reader.close();
  await remove('three');
});

test('with a filter, an Application that no longer matches is deleted for the client', async () => {
  await server.create(appWith('four', { health: 'Degraded' }));
  await until(async () => (await read<ApplicationPage>(server, admin, '/applications?q=four')).total === 1);
  const reader = await EventReader.open(server, admin, '?health=Degraded');
  await reader.until(({ lastId }) => lastId !== '');
  await setStatus(server.client, 'four', { health: { status: 'Healthy' } });
  await setStatus(server.client, 'four', { health: { status: 'Progressing' } });
  await setStatus(server.client, 'four', { health: { status: 'Degraded' } });
  await reader.until(({ changes }) => changes.length === 2);
  assert.deepEqual(reader.changes, ['DELETED four', 'ADDED four']);
  reader.close();
  await remove('four');
});

test('a client receives only events of Applications that it may see', async () => {
  const reader = await EventReader.open(server, alice);
  await reader.until(({ lastId }) => lastId !== '');
  await server.create(appWith('hidden', { project: 'secret' }));
  await server.create(appWith('shown'));
  await reader.until(({ changes }) => changes.length > 0);
  assert.deepEqual(reader.changes, ['ADDED shown']);
  // An Application that leaves the project is gone for the client.
  await server.client.patch(applicationKind.type, { namespace, name: 'shown' }, 'merge', {
    spec: { project: 'secret' },
  });
  await reader.until(({ changes }) => changes.length > 1);
  assert.deepEqual(reader.changes, ['ADDED shown', 'DELETED shown']);
  reader.close();
  await Promise.all([remove('hidden'), remove('shown')]);
});

test('a client whose rights change reloads', async () => {
  await server.create(appWith('vault', { project: 'secret' }));
  const reader = await EventReader.open(server, alice);
  await reader.until(({ lastId }) => lastId !== '');
  const policy = 'p, alice, applications, *, default/*, allow';
  const set = (text: string) =>
    server.client.patch(configMapType, { namespace, name: 'argocd-rbac-cm' }, 'merge', {
      data: { 'policy.csv': text },
    });
  await set(`${policy}\np, alice, applications, get, secret/*, allow`);
  await reader.until((one) => one.has('reload'));
  await setStatus(server.client, 'vault', { health: { status: 'Degraded' } });
  await reader.until(({ changes }) => changes.includes('MODIFIED vault'));
  await set(policy);
  await reader.until(({ events }) => events.filter(({ event }) => event === 'reload').length === 2);
  reader.close();
  await remove('vault');
});

test('facets are sent when they change, for the filter of the stream', async () => {
  const reader = await EventReader.open(server, admin, '?types=facets&health=Degraded');
  await reader.until(({ lastId }) => lastId !== '');
  await server.create(appWith('five', { health: 'Degraded' }));
  await reader.until(({ events }) => events.some(({ event, data }) => event === 'facets' && data.total === 1));
  assert.deepEqual(reader.changes, []);
  reader.close();
  await remove('five');
});

test('a stream ends when its session is revoked', async () => {
  const token = await server.tokenOf('alice');
  const reader = await EventReader.open(server, token);
  await reader.until(({ lastId }) => lastId !== '');
  const answer = await fetch(`http://127.0.0.1:${server.port}/auth/logout`, {
    headers: { cookie: `argocd.token=${token}` },
    redirect: 'manual',
  });
  assert.ok(answer.status < 400, String(answer.status));
  await reader.until(({ isEnded }) => isEnded);
});

test('a stream without a session is refused, and an unknown type names the parameter', async () => {
  assert.equal((await EventReader.open(server, 'none')).status, 401);
  const { status, body } = await ask(server, admin, '/events?types=pods');
  assert.equal(status, 400);
  assert.match(body.message ?? '', /parameter types must be one of/u);
});

test('a user has a limited number of streams, and a closed one makes room', async () => {
  const token = await server.tokenOf('alice');
  const open = (): Promise<EventReader> => EventReader.open(server, token);
  const readers: EventReader[] = [];
  while (readers.length < limits.fleetStreamsPerUser) {
    readers.push(...(await Promise.all(Array.from({ length: 50 }, open))));
  }
  assert.ok(readers.every(({ status }) => status === 200));
  assert.equal((await open()).status, 429);
  assert.equal((await ask(server, token, '/events')).status, 429);
  for (const reader of readers) reader.close();
  await until(async () => {
    const reader = await open();
    reader.close();
    return reader.status === 200;
  });
});
