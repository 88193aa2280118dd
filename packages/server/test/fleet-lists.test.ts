/** Lists, facets and heatmap of the fleet API over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applicationKind } from '@fairlead/api';
import { type KubeObject, namespaceType, type Secret, secretType } from '@fairlead/apimachinery';
import type { ApplicationPage, FacetCounts, Heatmap } from '../src/fleet/api/application-shapes.ts';
import { endpointIds, endpointOf } from '../src/fleet/api/endpoints.ts';
import { appWith, ask, base, read, setStatus, until } from './support/fleet.ts';
import { namespace, project, startTestServer, type TestServer } from './support/test-server.ts';

let server: TestServer;
let admin: string;
let alice: string;

before(async () => {
  server = await startTestServer();
  [admin, alice] = await Promise.all([server.tokenOf('admin'), server.tokenOf('alice')]);
  await server.create(project('secret'));
  for (let i = 0; i < 25; i++) {
    const health = i % 5 === 0 ? 'Degraded' : 'Healthy';
    await server.create(appWith(`web-${String(i).padStart(2, '0')}`, { health, labels: { team: i % 2 ? 'a' : 'b' } }));
  }
  for (const name of ['vault', 'keys']) await server.create(appWith(name, { project: 'secret', sync: 'OutOfSync' }));
  await until(async () => (await page('')).total === 27);
});

after(() => server.close());

const page = (query: string, token = admin): Promise<ApplicationPage> => read(server, token, `/applications?${query}`);
const facets = (query: string, token = admin): Promise<FacetCounts> => read(server, token, `/facets?${query}`);
const names = ({ items }: ApplicationPage): string[] => items.map(({ name }) => name);

async function allPages(query: string, between: (page: number) => Promise<void> = async () => {}): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  for (let i = 0; ; i++) {
    const one = await page(`${query}${cursor}`);
    found.push(...names(one));
    if (one.nextCursor === undefined) return found;
    cursor = `&cursor=${one.nextCursor}`;
    await between(i);
  }
}

test('pages show every Application once, also if others are created and deleted meanwhile', async () => {
  const before = await page('limit=1000');
  const listed = await allPages('limit=4', async (i) => {
    if (i === 1) await server.create(appWith('aaa-new'));
    if (i === 2) await server.client.delete(applicationKind.type, { namespace, name: 'web-00' });
    if (i === 2) await until(async () => (await page('q=web-00')).total === 0);
  });
  const kept = names(before).filter((name) => name !== 'web-00');
  assert.deepEqual(
    listed.filter((name) => name !== 'web-00' && name !== 'aaa-new'),
    kept,
  );
  assert.equal(new Set(listed).size, listed.length);
  await server.client.delete(applicationKind.type, { namespace, name: 'aaa-new' });
  await server.create(appWith('web-00', { health: 'Degraded', labels: { team: 'b' } }));
  await until(async () => names(await page('limit=1000')).join() === names(before).join());
});

test('lists are sorted by each key in both directions', async () => {
  const byHealth = await page('sort=health&limit=6');
  assert.deepEqual(
    byHealth.items.map(({ health }) => health),
    ['Degraded', 'Degraded', 'Degraded', 'Degraded', 'Degraded', 'Healthy'],
  );
  assert.equal(names(await page('sort=sync'))[0], 'keys');
  assert.deepEqual(names(await page('sort=-project&limit=2')), ['vault', 'keys']);
  for (const sort of ['name', 'project', 'cluster', 'sync', 'health', 'operation', 'createdAt', 'reconciledAt']) {
    const [up, down] = [await allPages(`limit=7&sort=${sort}`), await allPages(`limit=7&sort=-${sort}`)];
    assert.equal(new Set(up).size, 27, sort);
    assert.deepEqual(down, up.toReversed(), sort);
  }
});

test('filters are alternatives within a parameter and all hold together', async () => {
  assert.equal((await page('health=Degraded')).total, 5);
  assert.equal((await page('health=Degraded&health=Healthy')).total, 27);
  assert.equal((await page('health=Degraded&label=team%3Db')).total, 3);
  assert.equal((await page('label=team')).total, 25);
  assert.equal((await page('q=WEB+team%3Da')).total, 12);
  assert.equal((await page('q=git.example.com')).total, 27);
  assert.equal((await page('tenant=')).total, 27);
  assert.equal((await page('cluster=in-cluster')).total, 27);
  assert.equal((await page('cluster=https://kubernetes.default.svc')).total, 27);
  assert.equal((await page('autoSync=true')).total, 0);
  assert.equal((await page('operation=None')).total, 27);
});

test('facets ignore the filter on their own property', async () => {
  const counts = await facets('health=Degraded');
  assert.equal(counts.total, 5);
  assert.deepEqual(counts.health, { Degraded: 5, Healthy: 22 });
  assert.deepEqual(counts.project, { default: 5 });
  assert.deepEqual(counts.labels['team'], { a: 2, b: 3 });
  assert.deepEqual(counts.truncated, []);
});

test('a change is counted at once and has another version', async () => {
  const before = await facets('');
  await setStatus(server.client, 'web-01', { health: { status: 'Missing' } });
  await until(async () => (await facets('')).health['Missing'] === 1);
  assert.notEqual((await facets('')).version, before.version);
  await setStatus(server.client, 'web-01', { health: { status: 'Healthy' } });
  await until(async () => (await facets('')).health['Missing'] === undefined);
});

test('the heatmap has one letter for each Application', async () => {
  const { groups, legend } = await read<Heatmap>(server, admin, '/heatmap?group=project');
  assert.deepEqual(
    groups.map(({ name, names: members }) => [name, members.length]),
    [
      ['default', 25],
      ['secret', 2],
    ],
  );
  const [first] = groups;
  assert.equal(first?.names[0], 'argocd/web-00');
  assert.deepEqual(legend[first?.states.charAt(0) ?? ''], { sync: 'Synced', health: 'Degraded' });
  assert.equal(first?.states.length, 25);
});

test('a caller sees and counts only Applications of projects that it has the right to', async () => {
  assert.equal((await page('', alice)).total, 25);
  assert.deepEqual((await facets('', alice)).project, { default: 25 });
  assert.equal((await page('project=secret', alice)).total, 0);
  assert.deepEqual(names(await page('q=vault', alice)), []);
  const { groups } = await read<Heatmap>(server, alice, '/heatmap');
  assert.deepEqual(
    groups.map(({ name }) => name),
    ['default'],
  );
});

test('an error names the parameter that is wrong', async () => {
  const token = admin;
  for (const [query, message] of [
    ['heath=Degraded', /unknown parameter heath: did you mean health\?/u],
    ['health=Bad', /parameter health must be one of/u],
    ['limit=0', /parameter limit must be between 1 and 1000/u],
    ['limit=x', /parameter limit must be a number/u],
    ['label=%3Da', /parameter label must be KEY=VALUE or KEY/u],
    ['cursor=abc', /parameter cursor is not the nextCursor of a page/u],
    ['sort=uid', /parameter sort must be one of/u],
  ] as const) {
    const { status, body } = await ask(server, token, `/applications?${query}`);
    assert.equal(status, 400, query);
    assert.match(body.message ?? '', message);
  }
  const { nextCursor = '' } = await page('limit=1');
  const { status, body } = await ask(server, token, `/applications?sort=health&cursor=${nextCursor}`);
  assert.deepEqual([status, body.message], [400, 'parameter cursor is of a list with sort=name, not sort=health']);
});

test('a tenant is shown by its namespace, and a cluster by the name in its Secret, also if they come later', async () => {
  const tenant = await server.client.create<KubeObject>(namespaceType, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team-blue' },
  });
  const made = appWith('tenant-app', { labels: { 'managed-gitops.redhat.com/tenant': tenant.metadata.uid ?? '' } });
  const spec = { ...Object(Reflect.get(made, 'spec')), destination: { server: 'https://east.example.com' } };
  await server.create({ ...made, ...{ spec } });
  await until(async () => (await page('tenant=team-blue')).total === 1);
  assert.equal((await facets('')).tenant['team-blue'], 1);
  assert.equal((await page('cluster=https://east.example.com')).total, 1);
  const text = (value: string): string => Buffer.from(value).toString('base64');
  await server.client.create<Secret>(secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'east', namespace, labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    data: { name: text('east'), server: text('https://east.example.com'), config: text('{}') },
  });
  await until(async () => (await page('cluster=east')).total === 1);
  assert.equal((await page('cluster=https://east.example.com')).items[0]?.cluster, 'east');
  await server.client.delete(applicationKind.type, { namespace, name: 'tenant-app' });
});

test('every endpoint but the public ones refuses a request without a session', async () => {
  for (const id of endpointIds) {
    const { method, path, isPublic } = endpointOf(id);
    const { status } = await fetch(`http://127.0.0.1:${server.port}${base}${path.replace(/\{\w+\}/gu, 'x')}`, {
      method,
      ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
    });
    assert.equal(status, isPublic ? 200 : 401, id);
  }
});
