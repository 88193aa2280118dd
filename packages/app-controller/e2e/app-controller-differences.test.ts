/** What counts as a difference: each way to ignore one, by dry run and by field ownership. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { knownAnnotations } from '@fairlead/engine';
import type { HttpClient } from '@fairlead/kube';
import { configMap, deployment } from '../test/support/objects.ts';
import { type AppChange, openSuite, type Suite, type TestApplication, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite({ through: injecting });
});
after(() => suite.close());

/** Dry run responses with the changes of a mutating webhook, for the ConfigMaps that it selects: neither side owns the added fields. */
function injecting(client: HttpClient): HttpClient {
  type WithData = KubeObject & { data?: object };
  const patch = async (...args: Parameters<HttpClient['patch']>): Promise<WithData> => {
    const answer = await client.patch<WithData>(...args);
    const isMeant = answer.metadata.labels?.['inject'] === 'yes' && answer.kind === 'ConfigMap';
    return isMeant && args[4]?.dryRun ? { ...answer, data: { ...answer.data, injected: 'by a webhook' } } : answer;
  };
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === 'patch') return patch;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

type Shaped = { spec: { replicas: number; template: { spec: { containers: { name: string; image: string }[] } } } };
const scaled = deployment('web', { replicas: 1 }) as Shaped;

/** Refreshes with the current live objects; returns what is out of sync, and why. */
async function compared(app: TestApplication): Promise<string> {
  await app.patch({ metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } });
  const { status } = await app.reaches(
    'it was refreshed again',
    ({ metadata }) => !metadata.annotations?.['argocd.argoproj.io/refresh'],
  );
  const why = status?.conditions?.find(({ type }) => type === 'OutOfSync')?.message;
  return `${status?.sync?.status}${why ? `: ${why}` : ''}`;
}
const comes = (app: TestApplication, what: string): Promise<void> =>
  until(
    `${app.name} is ${what}`,
    async () => (await compared(app)) === what,
    30_000,
    () => app.get(),
  );

const scale = (app: TestApplication, manager = 'kubectl-scale') =>
  suite.client.patch(
    types.Deployment,
    { namespace: app.namespace, name: 'web' },
    'merge',
    { spec: { replicas: 3 } },
    { fieldManager: manager },
  );

const differs = (app: TestApplication): string => `OutOfSync: Deployment ${app.namespace}/web differs in spec.replicas`;

const rule = (rest: object) => ({ ignoreDifferences: [{ group: 'apps', kind: 'Deployment', ...rest }] });
const ways: [name: string, what: string, change: AppChange, object?: object][] = [
  ['pointer', 'a JSON pointer', { spec: rule({ jsonPointers: ['/spec/replicas'] }) }],
  [
    'jq',
    'a jq path',
    { spec: rule({ jqPathExpressions: ['.spec | select(.replicas > 1) | .replicas', '.spec.replicas'] }) },
  ],
  ['manager', 'the field manager', { spec: rule({ managedFieldsManagers: ['kubectl-scale'] }) }],
  [
    'glob',
    'a glob over kinds and groups',
    { spec: { ignoreDifferences: [{ group: 'a*', kind: 'Deploy*', jsonPointers: ['/spec/replicas'] }] } },
  ],
  [
    'own',
    'the object’s own annotation',
    {},
    deployment('web', { annotations: { [knownAnnotations.ignoreDifferences.name]: '/spec/replicas' } }),
  ],
];
for (const [name, what, change, object = scaled] of ways) {
  test(`ignoreDifferences by ${what}`, async () => {
    const app = await suite.create(`ignore-${name}`, { web: object }, change);
    await app.sync();
    await comes(app, 'Synced');
    await scale(app);
    await until('the change is live', async () => (await app.find(types.Deployment, 'web'))?.spec?.['replicas'] === 3);
    await comes(app, 'Synced');
  });
}

test('ignoreDifferences that do not apply: another name, another manager', async () => {
  const named = await suite.create(
    'ignore-other-name',
    { web: scaled },
    { spec: rule({ name: 'other', jsonPointers: ['/spec/replicas'] }) },
  );
  const managed = await suite.create(
    'ignore-other-manager',
    { web: scaled },
    { spec: rule({ managedFieldsManagers: ['somebody'] }) },
  );
  for (const app of [named, managed]) {
    await app.sync();
    await scale(app);
    await comes(app, differs(app));
  }
});

test('ignoreDifferences for all Applications, from argocd-cm, and removed again', async () => {
  const app = await suite.create('ignore-system', { web: scaled });
  await app.sync();
  await scale(app);
  await comes(app, differs(app));
  await suite.configure({
    'resource.customizations.ignoreDifferences.apps_Deployment': 'jqPathExpressions: [.spec.replicas]\n',
  });
  await comes(app, 'Synced');
  await suite.configure({
    'resource.customizations.ignoreDifferences.all': 'managedFieldsManagers: [kubectl-scale]\n',
  });
  await comes(app, 'Synced');
  await suite.configure({});
  await comes(app, differs(app));
});

test('RespectIgnoreDifferences: a sync does not change fields that a jq path ignores', async () => {
  const spec = {
    ...rule({ jqPathExpressions: ['.spec.replicas'] }),
    syncPolicy: { syncOptions: ['CreateNamespace=true', 'RespectIgnoreDifferences=true'] },
  };
  const app = await suite.create('respected', { web: scaled }, { spec });
  await app.sync();
  await scale(app);
  await until('the change is live', async () => (await app.find(types.Deployment, 'web'))?.spec?.['replicas'] === 3);
  app.commit({ web: deployment('web', { replicas: 2, annotations: { changed: 'yes' } }) });
  await app.sync();
  const live = await app.find(types.Deployment, 'web');
  assert.equal(live?.metadata.annotations?.['changed'], 'yes');
  assert.equal(live?.spec?.['replicas'], 3);
});

test('with an invalid expression nothing is compared, and the message contains the expression', async () => {
  const app = await suite.create(
    'bad-expression',
    { web: scaled, other: configMap('other') },
    { spec: rule({ jqPathExpressions: ['.spec..['] }) },
  );
  const { status } = await app.reaches(
    'it is Unknown',
    (application) => application.status?.sync?.status === 'Unknown',
  );
  assert.deepEqual(
    status?.resources?.map(({ status: code }) => code),
    ['Unknown', 'Unknown'],
  );
  const named = status?.conditions?.find(({ type }) => type === 'InvalidSettingWarning');
  assert.match(named?.message ?? '', /jq path expression \.spec\.\.\[: syntax error/);
});

test('server-side diff uses the result of the dry run, for an Application or one object', async () => {
  const metadata = { annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' } };
  const app = await suite.create('server-side', { web: scaled }, { metadata });
  await app.sync({ syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] });
  await comes(app, 'Synced');
  await scale(app);
  await comes(app, differs(app));
  const one = await suite.create('server-side-one', {
    a: configMap('a', metadata.annotations, { n: '1' }),
  });
  await one.sync();
  await comes(one, 'Synced');
  await suite.client.patch(types.ConfigMap, { namespace: one.namespace, name: 'a' }, 'merge', { data: { n: '2' } });
  await comes(one, `OutOfSync: ConfigMap ${one.namespace}/a differs in data.n`);
});

test('server-side diff: what a mutating webhook changes is not a difference, unless IncludeMutationWebhook=true', async () => {
  const options = (text: string) => ({ 'argocd.argoproj.io/compare-options': text });
  const a = { ...configMap('a', {}, { n: '1' }), metadata: { name: 'a', labels: { inject: 'yes' } } };
  const app = await suite.create('webhooks', { a }, { metadata: { annotations: options('ServerSideDiff=true') } });
  await app.sync({ syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] });
  await comes(app, 'Synced');
  await app.patch({ metadata: { annotations: options('ServerSideDiff=true,IncludeMutationWebhook=true') } });
  await comes(app, `OutOfSync: ConfigMap ${app.namespace}/a differs in data.injected`);
  await app.patch({ metadata: { annotations: options('ServerSideDiff=true') } });
  await comes(app, 'Synced');
});

test('server-side diff: an error of the server is reported on the object', async () => {
  const app = await suite.create('server-side-refused', { a: configMap('a') });
  await app.sync();
  app.commit({
    a: {
      ...configMap('a', { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' }),
      data: { n: { no: 'text' } },
    },
  });
  await app.reaches('the object is marked', ({ status }) =>
    JSON.stringify(status?.conditions ?? []).includes('in dryrun mode for resource ConfigMap/a: '),
  );
});

test('server-side apply keeps fields of other managers and removes fields that we no longer apply', async () => {
  const spec = { syncPolicy: { syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] } };
  const app = await suite.create('owned', { a: configMap('a', {}, { ours: '1', dropped: '1' }) }, { spec });
  await app.sync();
  await comes(app, 'Synced');
  const key = { namespace: app.namespace, name: 'a' };
  await suite.client.patch(types.ConfigMap, key, 'merge', { data: { theirs: 'x' } }, { fieldManager: 'other' });
  await comes(app, 'Synced');
  app.commit({ a: configMap('a', {}, { ours: '1' }) });
  await comes(app, `OutOfSync: ConfigMap ${app.namespace}/a differs in data.dropped`);
  await app.sync();
  await comes(app, 'Synced');
  assert.deepEqual((await app.find(types.ConfigMap, 'a'))?.data, { ours: '1', theirs: 'x' });
});

test('a manifest may use another version than the preferred one', async () => {
  const scaler = {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: {
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 80,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    },
  };
  const app = await suite.create(
    'versions',
    { web: scaled, scaler },
    { spec: rule({ jsonPointers: ['/spec/replicas'] }) },
  );
  await app.sync();
  await comes(app, 'Synced');
  const type = {
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    namespaced: true,
  };
  const metrics = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
  ];
  await suite.client.patch(type, { namespace: app.namespace, name: 'web' }, 'merge', { spec: { metrics } });
  await comes(
    app,
    `OutOfSync: HorizontalPodAutoscaler ${app.namespace}/web differs in spec.targetCPUUtilizationPercentage`,
  );
  await app.sync();
  await comes(app, 'Synced');
});
