/** Actions on many Applications through the fleet API. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import type { ApplicationPage } from '../src/fleet/api/application-shapes.ts';
import type { BulkPlan, BulkResult } from '../src/fleet/api/installation-shapes.ts';
import { appWith, ask, read, until } from './support/fleet.ts';
import { namespace, project, startTestServer, type TestServer } from './support/test-server.ts';

let server: TestServer;
let admin: string;
let alice: string;
const audit: Record<string, unknown>[] = [];

before(async () => {
  server = await startTestServer({ auditSink: (line) => audit.push(JSON.parse(line)) });
  [admin, alice] = await Promise.all([server.tokenOf('admin'), server.tokenOf('alice')]);
  await server.create(project('secret'));
  for (const name of ['one', 'two']) await server.create(withAutoSync(appWith(name)));
  await server.create(appWith('manual'));
  await server.create(appWith('vault', { project: 'secret' }));
  await until(async () => (await read<ApplicationPage>(server, admin, '/applications')).total === 4);
});

after(() => server.close());

const withAutoSync = (app: ReturnType<typeof appWith>) => ({
  ...app,
  spec: { ...Object(Reflect.get(app, 'spec')), syncPolicy: { automated: { prune: true } } },
});
const current = (name: string) => server.client.get<Application>(applicationKind.type, { namespace, name });
const listed = (...names: string[]) => names.map((name) => ({ namespace, name }));

test('a plan says for each Application what would change, and changes nothing', async () => {
  const before = await current('one');
  const { body } = await ask<BulkPlan>(server, alice, '/bulk/plan', { action: 'suspend', filter: 'project=default' });
  assert.deepEqual(body, {
    total: 3,
    items: [
      { namespace, name: 'manual', allowed: true, reason: 'automated sync is not configured', effect: 'no change' },
      { namespace, name: 'one', allowed: true, effect: 'disable automated sync' },
      { namespace, name: 'two', allowed: true, effect: 'disable automated sync' },
    ],
  });
  assert.equal((await current('one')).metadata.resourceVersion, before.metadata.resourceVersion);
});

test('Applications that the caller may not see are refused like those that do not exist', async () => {
  const request = { action: 'sync', applications: listed('vault', 'missing', 'one') };
  const { body } = await ask<BulkPlan>(server, alice, '/bulk/plan', request);
  assert.deepEqual(
    body.items.map(({ name, allowed, reason }) => [name, allowed, reason]),
    [
      ['vault', false, 'permission denied'],
      ['missing', false, 'permission denied'],
      ['one', true, undefined],
    ],
  );
  const all = await ask<BulkPlan>(server, alice, '/bulk/plan', { action: 'sync', filter: '' });
  assert.deepEqual(
    all.body.items.map(({ name }) => name),
    ['manual', 'one', 'two'],
  );
});

test('suspend and resume set the field of Argo CD and keep the rest of the policy', async () => {
  const { body } = await ask<BulkResult>(server, alice, '/bulk', { action: 'suspend', filter: 'autoSync=true' });
  assert.deepEqual(
    body.results.map(({ name, ok }) => [name, ok]),
    [
      ['one', true],
      ['two', true],
    ],
  );
  assert.deepEqual((await current('one')).spec.syncPolicy?.automated, { enabled: false, prune: true });
  const { items } = await read<ApplicationPage>(server, alice, '/applications?q=one');
  assert.deepEqual([items[0]?.autoSync, items[0]?.suspended], [false, true]);
  await ask<BulkResult>(server, alice, '/bulk', { action: 'resume', applications: listed('one', 'two', 'vault') });
  assert.deepEqual((await current('two')).spec.syncPolicy?.automated, { enabled: true, prune: true });
  const changes = audit.filter(({ call }) => call === 'Application.Patch');
  assert.deepEqual(
    changes.map(({ user, result }) => [user, result]),
    [
      ['alice', 'OK'],
      ['alice', 'OK'],
      ['alice', 'PermissionDenied'],
      ['alice', 'OK'],
      ['alice', 'OK'],
    ],
  );
});

test('sync starts operations by the call for one Application, with an error for each that cannot', async () => {
  const request = { action: 'sync', applications: listed('one', 'manual'), prune: true };
  const first = await ask<BulkResult>(server, alice, '/bulk', request);
  assert.deepEqual(
    first.body.results.map(({ ok }) => ok),
    [true, true],
  );
  const { operation } = await current('one');
  assert.equal(operation?.sync?.prune, true);
  assert.equal(operation?.initiatedBy?.username, 'alice');
  const again = await ask<BulkResult>(server, alice, '/bulk', { action: 'sync', applications: listed('one', 'two') });
  assert.deepEqual(
    again.body.results.map(({ ok, message }) => [ok, message]),
    [
      [false, 'another operation is already in progress'],
      [true, undefined],
    ],
  );
  const page = await read<ApplicationPage>(server, alice, '/applications?operation=Running');
  assert.equal(page.total, 3);
});

test('refresh sets the annotation and is audited', async () => {
  await ask<BulkResult>(server, alice, '/bulk', { action: 'refresh', applications: listed('one'), hard: true });
  assert.equal((await current('one')).metadata.annotations?.['argocd.argoproj.io/refresh'], 'hard');
  assert.ok(audit.some(({ call, user }) => call === 'Application.Refresh' && user === 'alice'));
});

test('an invalid request names the field that is wrong', async () => {
  for (const [body, message] of [
    [{ action: 'sync' }, /either filter or applications/u],
    [{ action: 'sync', filter: '', applications: [] }, /either filter or applications/u],
    [{ action: 'sync', filter: 'heath=Degraded' }, /^filter: unknown parameter heath: did you mean health\?/u],
    [{ action: 'delete', filter: '' }, /action/u],
    [{ action: 'refresh', filter: '', prune: true }, /prune needs the action sync/u],
    [
      { action: 'sync', applications: Array.from({ length: 1001 }, (_, i) => ({ namespace, name: `a${i}` })) },
      /at most 1000/u,
    ],
  ] as const) {
    const answer = await ask(server, admin, '/bulk', body);
    assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 100));
    assert.match(answer.body.message ?? '', message);
  }
});
