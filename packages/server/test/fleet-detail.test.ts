import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind, validate } from '@fairlead/api';
import { listAt, textAt } from '@fairlead/apimachinery';
import { endpointOf } from '../src/fleet/api/endpoints.ts';
import { home, LiveInstallation, namespace, secrets } from './support/live-installation.ts';

const installation = new LiveInstallation();
before(() => installation.start());
after(() => installation.close());

const base = '/api/fairlead/v1';
const web = `${base}/applications/${home}/web`;
const get = (path: string, as?: string) => installation.call('GET', path, as ? { as } : {});

/** The resources of a diff, or the tasks of a plan, by kind and name. */
const named = (items: readonly unknown[], name: string): unknown => items.find((one) => textAt(one, 'name') === name);

test('explains why an Application is out of sync, as data', async () => {
  const { status, body, text } = await get(`${web}/explain`);
  assert.equal(status, 200, text);
  assert.deepEqual(validate(endpointOf('explainApplication').response ?? {}, body), []);
  assert.equal(body['summary'], 'web is OutOfSync and Healthy.');
  const reasons = listAt(body, 'reasons');
  assert.equal(textAt(reasons[0], 'subject'), 'Why it is out of sync');
  assert.match(text, /It is synced manually, and was not synced since\./);
  assert.match(JSON.stringify(listAt(reasons.at(-1), 'actions')), /fairlead app sync web/);
});

test('flow has every hop, in order, and those that are not used are absent', async () => {
  const { status, body, text } = await get(`${web}/flow`);
  assert.equal(status, 200, text);
  assert.deepEqual(validate(endpointOf('getFlow').response ?? {}, body), []);
  const hops = listAt(body, 'hops').map((hop) => `${textAt(hop, 'id')} ${textAt(hop, 'state')}`);
  assert.deepEqual(hops, [
    'commit ok',
    'render ok',
    'tenant absent',
    'operation absent',
    'principal absent',
    'agent absent',
    'cluster waiting',
    'status ok',
  ]);
});

test('diff names the fields with owner, and masks Secrets', async () => {
  const { status, body, text } = await get(`${web}/diff?states=true`);
  assert.equal(status, 200, text);
  assert.deepEqual(validate(endpointOf('getDiff').response ?? {}, body), []);
  for (const value of Object.values(secrets)) {
    assert.ok(!text.includes(value), value);
    assert.ok(!text.includes(Buffer.from(value).toString('base64')), value);
  }
  assert.equal(body['revision'], installation.commit);
  const resources = listAt(body, 'resources');
  const settings = named(resources, 'settings');
  assert.equal(textAt(settings, 'status'), 'OutOfSync');
  const [field] = listAt(settings, 'fields');
  assert.equal(textAt(field, 'path'), 'data.size');
  assert.equal(textAt(field, 'live'), '"small"');
  assert.equal(textAt(field, 'target'), '"large"');
  assert.notEqual(textAt(field, 'owner'), '');
  assert.equal(textAt(named(resources, 'missing'), 'status'), 'Missing');
  assert.match(JSON.stringify(listAt(named(resources, 'password'), 'fields')), /data\.password/);
  assert.equal(named(resources, 'web'), undefined, 'objects that do not differ are left out');
  const all = await get(`${web}/diff?all=true`);
  assert.equal(textAt(named(listAt(all.body, 'resources'), 'web'), 'status'), 'Synced');
  assert.ok(!all.text.includes('managedFields'), 'states only if they are asked for');
});

test('diff names the rule that ignores a difference', async () => {
  const key = { namespace: home, name: 'web' };
  const rule = { kind: 'ConfigMap', jsonPointers: ['/data/size'] };
  await installation.client.patch<Application>(applicationKind.type, key, 'merge', {
    spec: { ignoreDifferences: [rule] },
  });
  try {
    const { body } = await get(`${web}/diff?all=true`);
    const settings = named(listAt(body, 'resources'), 'settings');
    assert.equal(textAt(settings, 'status'), 'Synced');
    const [field] = listAt(settings, 'fields');
    assert.equal(textAt(field, 'path'), 'data.size');
    assert.equal(textAt(field, 'ignoredBy'), 'ignoreDifferences of the Application: /data/size');
  } finally {
    await installation.client.patch(applicationKind.type, key, 'merge', { spec: { ignoreDifferences: null } });
  }
});

test('the plan of a sync lists its tasks in waves, and a dry run asks the cluster', async () => {
  const { status, body, text } = await get(`${web}/sync-plan?dryRun=true`);
  assert.equal(status, 200, text);
  assert.deepEqual(validate(endpointOf('getSyncPlan').response ?? {}, body), []);
  assert.equal(body['revision'], installation.commit);
  const [wave] = listAt(body, 'waves');
  assert.equal(textAt(wave, 'phase'), 'Sync');
  const tasks = listAt(wave, 'tasks');
  const action = (name: string): string => textAt(named(tasks, name), 'action');
  assert.deepEqual(
    [action('missing'), action('settings'), action('password'), action('web')],
    ['create', 'update', 'update', 'unchanged'],
  );
  assert.deepEqual(Reflect.get(Object(named(tasks, 'missing')), 'dryRun'), { ok: true });
  for (const value of Object.values(secrets)) assert.ok(!text.includes(value), value);
});

test('a plan of chosen resources, of another revision, and what is wrong with a request', async () => {
  const chosen = await get(`${web}/sync-plan?resource=:ConfigMap:${namespace}/settings&revision=v1`);
  const tasks = listAt(chosen.body, 'waves').flatMap((wave) => listAt(wave, 'tasks'));
  assert.deepEqual(
    tasks.map((task) => textAt(task, 'name')),
    ['settings'],
  );
  const wrong = await get(`${web}/sync-plan?resource=ConfigMap`);
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /GROUP:KIND:NAMESPACE\/NAME/);
  const unknown = await get(`${web}/sync-plan?revision=no-such-branch`);
  assert.equal(unknown.status, 400, unknown.text);
  assert.match(unknown.text, /unable to resolve 'no-such-branch'/);
  assert.match((await get(`${web}/diff?al=true`)).text, /did you mean all\?/);
});

test('only who may see the Application gets an answer, and a dry run needs the right to sync', async () => {
  for (const path of ['explain', 'flow', 'diff', 'sync-plan']) {
    assert.equal((await get(`${web}/${path}`, 'reader')).status, 200, path);
    assert.equal((await get(`${base}/applications/${home}/no-such/${path}`)).status, 403, path);
    assert.equal((await get(`${base}/applications/other/web/${path}`)).status, 403, path);
  }
  assert.equal((await get(`${web}/sync-plan?dryRun=true`, 'reader')).status, 403);
});

test('a preview checks and renders an Application that does not exist, and creates nothing', async () => {
  const { spec } = await installation.client.get<Application>(applicationKind.type, { namespace: home, name: 'web' });
  const preview = (application: object, as?: string) =>
    installation.call('POST', `${base}/preview`, { body: { application }, ...(as ? { as } : {}) });
  const draft = { metadata: { name: 'draft' }, spec };
  const { status, body, text } = await preview(draft);
  assert.equal(status, 200, text);
  assert.deepEqual(validate(endpointOf('previewApplication').response ?? {}, body), []);
  assert.deepEqual(listAt(body, 'revisions'), [installation.commit]);
  assert.deepEqual(listAt(body, 'sourceTypes'), ['Directory']);
  const names = listAt(body, 'manifests').map((manifest) => textAt(manifest, 'metadata', 'name'));
  assert.ok(names.includes('settings') && names.includes('password'), names.join(', '));
  for (const value of Object.values(secrets)) assert.ok(!text.includes(value), value);
  assert.equal((await get(`/api/v1/applications/draft`)).status, 403, 'nothing was created');

  const refused = async (application: object) => textAt((await preview(application)).body, 'message');
  assert.match(await refused({ metadata: { name: 'draft' }, spec: { ...spec, project: 3 } }), /spec\.project/);
  assert.match(await refused({ ...draft, spec: { ...spec, destination: { name: 'nowhere' } } }), /nowhere/);
  assert.match(
    await refused({ ...draft, spec: { ...spec, source: { ...spec.source, path: 'no-such-folder' } } }),
    /no-such-folder/,
  );
  assert.equal((await preview(draft, 'reader')).status, 403);
});
