/** Live objects are read and changed with the permissions of the service account that the project names. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appProjectKind } from '@fairlead/api';
import { configMapType, type KubeObject, type ResourceType, textAt } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import { home, LiveInstallation, namespace } from './support/live-installation.ts';

const installation = new LiveInstallation();
const rbac = 'rbac.authorization.k8s.io';
const rbacType = (kind: string, plural: string): ResourceType => ({
  group: rbac,
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const call: LiveInstallation['call'] = (...request) => installation.call(...request);
const application = '/api/v1/applications/web';
const resource = (query: Record<string, string>): string =>
  `${application}/resource?${new URLSearchParams({ namespace, version: 'v1', ...query })}`;
const settings = resource({ resourceName: 'settings', kind: 'ConfigMap' });
const deployment = { namespace, version: 'v1', group: 'apps', kind: 'Deployment', resourceName: 'web' };
const actions = `${application}/resource/actions?${new URLSearchParams(deployment)}`;

const accounts = (defaultServiceAccount?: string) =>
  installation.client.patch(appProjectKind.type, { namespace: home, name: 'default' }, 'merge', {
    spec: {
      destinationServiceAccounts: defaultServiceAccount
        ? [{ server: '*', namespace: '*', defaultServiceAccount }]
        : null,
    },
  });

/** The response once the server has read the changed project and settings. */
async function until(expected: number, ask: () => ReturnType<typeof call>): ReturnType<typeof call> {
  for (let attempt = 0; ; attempt++) {
    const answer = await ask();
    if (answer.status === expected || attempt > 50) return answer;
    await sleep(systemClock, 100);
  }
}

before(async () => {
  await installation.start();
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'patch'] }];
  const metadata = { name: 'operator', namespace };
  const objects: [ResourceType, object][] = [
    [rbacType('Role', 'roles'), { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules }],
    [
      rbacType('RoleBinding', 'rolebindings'),
      {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'operator' },
        subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace }],
      },
    ],
  ];
  for (const [type, object] of objects) await installation.client.create(type, object as KubeObject);
  await installation.client.patch(configMapType, { namespace: home, name: 'argocd-cm' }, 'merge', {
    data: { 'application.sync.impersonation.enabled': 'true' },
  });
});
after(() => installation.close());

test('without a service account for the destination, live objects are not read', async () => {
  const answer = await until(400, () => call('GET', settings));
  assert.equal(answer.status, 400);
  assert.match(
    answer.text,
    /error getting application cluster config: no matching service account found for destination server https:\/\/kubernetes\.default\.svc and namespace \w+/u,
  );
});

test('what the service account may do is done, and the rest is refused with the answer of the server', async () => {
  await accounts('operator');
  const read = await until(200, () => call('GET', settings));
  assert.equal(read.status, 200, read.text);
  const patch = { body: '{"data":{"size":"patched"}}' };
  const query = { resourceName: 'settings', kind: 'ConfigMap', patchType: 'application/merge-patch+json' };
  const patched = await call('POST', resource(query), patch);
  assert.equal(textAt(JSON.parse(String(patched.body['manifest'])), 'data', 'size'), 'patched');
  const user = `User \\\\"system:serviceaccount:${namespace}:operator\\\\" cannot`;
  const deleted = await call('DELETE', settings);
  assert.deepEqual([deleted.status, new RegExp(`${user} delete resource`, 'u').test(deleted.text)], [403, true]);
  const secret = await call('GET', resource({ resourceName: 'password', kind: 'Secret' }));
  assert.deepEqual([secret.status, new RegExp(`${user} get resource`, 'u').test(secret.text)], [403, true]);
  const restart = await call('POST', actions, { body: 'restart' });
  assert.deepEqual([restart.status, new RegExp(`${user} get resource`, 'u').test(restart.text)], [403, true]);
  await installation.client.get(configMapType, { namespace, name: 'settings' });
});

test('logs are read with the service account', async () => {
  const answer = await call('GET', `${application}/logs?${new URLSearchParams({ namespace, follow: 'false' })}`);
  assert.match(answer.text, /cannot get resource \\+"pods\/log\\+"/u);
});
