/** Actions on live objects over HTTP: built-in ones, those of the installation, rights, and what is recorded. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applicationKind } from '@fairlead/api';
import { at, configMapType, deploymentType, eventType, numberAt, objectsAt, textAt } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import { home, LiveInstallation, namespace } from './support/live-installation.ts';

const installation = new LiveInstallation();
const call: LiveInstallation['call'] = (...request) => installation.call(...request);
const web = { namespace, version: 'v1', group: 'apps', kind: 'Deployment', resourceName: 'web' };
const actions = (query: Record<string, string>): string =>
  `/api/v1/applications/web/resource/actions?${new URLSearchParams(query)}`;
const v2 = '/api/v1/applications/web/resource/actions/v2';
const deployment = () => installation.client.get(deploymentType, { namespace, name: 'web' });

const custom = `discovery.lua: |
  actions = {}
  actions["note"] = {["displayName"] = "Make a note", ["params"] = {{["name"] = "text"}}}
  return actions
mergeBuiltinActions: true
definitions:
- name: note
  action.lua: |
    obj.metadata.annotations["note"] = actionParams["text"]
    local map = {apiVersion = "v1", kind = "ConfigMap", metadata = {name = "note", namespace = obj.metadata.namespace}, data = {text = actionParams["text"]}}
    return {{operation = "patch", resource = obj}, {operation = "create", resource = map}}
- name: escape
  action.lua: |
    return {{operation = "create", resource = {apiVersion = "v1", kind = "Namespace", metadata = {name = "elsewhere"}}}}
- name: fail
  action.lua: |
    error("not today", 0)
`;

before(async () => {
  await installation.start();
  await installation.client.patch(configMapType, { namespace: home, name: 'argocd-cm' }, 'merge', {
    data: { 'resource.customizations.actions.apps_Deployment': custom },
  });
  await installation.client.patch(configMapType, { namespace: home, name: 'argocd-rbac-cm' }, 'merge', {
    data: {
      'policy.csv':
        'p, reader, applications, get, default/*, allow\np, fixer, applications, action/apps/Deployment/restart, default/web, allow\n',
    },
  });
  for (let attempt = 0; attempt < 50; attempt++) {
    const { text } = await call('GET', actions(web));
    if (text.includes('Make a note')) return;
    await sleep(systemClock, 100);
  }
});
after(() => installation.close());

test('an object offers its built-in actions and those of the installation', async () => {
  const { body } = await call('GET', actions(web), { as: 'reader' });
  assert.deepEqual(body, {
    actions: [
      { name: 'note', params: [{ name: 'text' }], displayName: 'Make a note' },
      { name: 'pause', iconClass: 'fa fa-fw fa-pause-circle' },
      { name: 'restart', iconClass: 'fa fa-fw fa-redo' },
      { name: 'resume', disabled: true, iconClass: 'fa fa-fw fa-play-circle' },
      { name: 'scale', params: [{ name: 'replicas' }], iconClass: 'fa fa-fw fa-plus-circle' },
    ],
  });
  const none = await call('GET', actions({ ...web, group: '', kind: 'ConfigMap', resourceName: 'settings' }));
  assert.deepEqual([none.status, none.body], [200, {}]);
});

test('an action is run with its parameters', async () => {
  const parameters = [{ name: 'replicas', value: '2' }];
  const answer = await call('POST', v2, {
    body: { ...web, action: 'scale', resourceActionParameters: parameters },
  });
  assert.deepEqual([answer.status, answer.body], [200, {}]);
  assert.equal(numberAt(await deployment(), 'spec', 'replicas'), 2);
});

test('the right to run one action is not the right to run another', async () => {
  const run = (action: string, as: string) => call('POST', actions(web), { body: action, as });
  assert.equal((await run('restart', 'fixer')).status, 200);
  const restarted = (await deployment()) as object;
  assert.match(
    textAt(restarted, 'spec', 'template', 'metadata', 'annotations', 'kubectl.kubernetes.io/restartedAt'),
    /^\d{4}-/u,
  );
  for (const [action, as] of [
    ['pause', 'fixer'],
    ['restart', 'reader'],
  ] as const) {
    const { status, body } = await run(action, as);
    assert.deepEqual([status, body['message']], [403, 'permission denied']);
  }
});

test('an action of the installation patches and creates objects', async () => {
  const body = { ...web, action: 'note', resourceActionParameters: [{ name: 'text', value: 'hello' }] };
  assert.equal((await call('POST', v2, { body })).status, 200);
  assert.equal((await deployment()).metadata.annotations?.['note'], 'hello');
  const made = await installation.client.get(configMapType, { namespace, name: 'note' });
  assert.equal(textAt(made, 'data', 'text'), 'hello');
  const again = await call('POST', v2, {
    body: { ...body, resourceActionParameters: [{ name: 'text', value: 'two' }] },
  });
  assert.deepEqual([again.status, again.body['code']], [409, 6]);
  assert.equal(
    (await deployment()).metadata.annotations?.['note'],
    'hello',
    'nothing is written if a creation would fail',
  );
});

test('an action cannot reach what the project forbids, and its errors are answered', async () => {
  const run = (action: string) => call('POST', v2, { body: { ...web, action } });
  const refused = await run('escape');
  assert.equal(refused.status, 500);
  assert.equal(refused.body['message'], 'application is not permitted to manage /Namespace/elsewhere in ');
  assert.equal((await run('fail')).body['message'], 'error executing Lua resource action: not today');
  const unknown = await run('fly');
  assert.equal(unknown.body['message'], 'error getting Lua resource action: built-in script does not exist');
  const missing = await call('POST', v2, { body: { ...web, resourceName: 'none', action: 'restart' } });
  assert.deepEqual(
    [missing.status, missing.body['message']],
    [400, 'Deployment apps none not found as part of application web'],
  );
});

test('an Application itself has an action', async () => {
  const own = { namespace: home, version: 'v1alpha1', group: 'argoproj.io', kind: 'Application', resourceName: 'web' };
  const { body } = await call('GET', actions(own));
  assert.deepEqual(body, { actions: [{ name: 'toggle-auto-sync', displayName: 'Enable Auto-Sync' }] });
  assert.equal((await call('POST', v2, { body: { ...own, action: 'toggle-auto-sync' } })).status, 200);
  const application = await installation.client.get(applicationKind.type, { namespace: home, name: 'web' });
  assert.deepEqual(at(application, 'spec', 'syncPolicy'), { automated: { enabled: true } });
  assert.equal((await call('POST', v2, { body: { ...own, action: 'toggle-auto-sync' }, as: 'reader' })).status, 403);
});

test('who ran an action is an event on the Application and on the object', async () => {
  const notes = async (): Promise<string[]> => {
    const lists = await Promise.all(
      [home, namespace].map((one) => installation.client.list(eventType, { namespace: one })),
    );
    return objectsAt({ items: lists.flatMap(({ items }) => items) }, 'items').map((item) => textAt(item, 'message'));
  };
  const expected = ['fixer ran action restart on resource apps/Deployment/web', 'fixer ran action restart'];
  for (let attempt = 0; attempt < 50; attempt++) {
    const found = await notes();
    if (expected.every((note) => found.includes(note))) return;
    await sleep(systemClock, 100);
  }
  assert.deepEqual(await notes(), expected);
});
