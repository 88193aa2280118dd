/** What projects permit and refuse, what they report, and when they are deleted. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AppProject, appProjectKind } from '@fairlead/api';
import { configMap } from '../test/support/objects.ts';
import { openSuite, type Suite, type TestApplication, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const open: AppProject['spec'] = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
async function project(
  name: string,
  spec: AppProject['spec'],
  finalizers: string[] = [],
  labels: Record<string, string> = {},
): Promise<void> {
  await suite.client.create<AppProject>(appProjectKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: suite.namespace, finalizers, labels },
    spec: { ...open, ...spec },
  });
}
const namespace = (name: string): Promise<unknown> =>
  suite.client.create(types.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const conditions = async (app: TestApplication): Promise<string[]> =>
  ((await app.get()).status?.conditions ?? []).map(({ type, message }) => `${type}: ${message}`);
const automated = { automated: { prune: true } };

const denials: [name: string, spec: AppProject['spec'], message: RegExp][] = [
  [
    'repo',
    { sourceRepos: ['https://git.example/other'] },
    /^InvalidSpecError: application repo .* is not permitted in project 'deny-repo'$/,
  ],
  [
    'cluster',
    { destinations: [{ server: 'https://other', namespace: '*' }] },
    /^InvalidSpecError: application destination server .* do not match any of the allowed destinations in project 'deny-cluster'$/,
  ],
  [
    'namespace',
    {
      destinations: [
        { server: '*', namespace: '*' },
        { server: '*', namespace: '!fle-deny-*' },
      ],
    },
    /^InvalidSpecError: application destination .* namespace 'fle-deny-namespace'/,
  ],
  [
    'keys',
    { signatureKeys: [{ keyID: 'ABCDEF' }] },
    /^ComparisonError: https:\/\/git\.example\/deny-keys: signatures cannot be checked here$/,
  ],
  [
    'scoped',
    { permitOnlyProjectScopedClusters: true },
    /^InvalidSpecError: .* do not match any of the allowed destinations/,
  ],
];
for (const [name, spec, message] of denials) {
  test(`project denials: ${name}: nothing is read or applied, and the condition names the rule`, async () => {
    await project(`deny-${name}`, spec);
    await namespace(`fle-deny-${name}`);
    const app = await suite.create(
      `deny-${name}`,
      { a: configMap('a') },
      { spec: { project: `deny-${name}`, syncPolicy: automated } },
    );
    await app.reaches('refused', ({ status }) => status?.sync?.status === 'Unknown');
    assert.match((await conditions(app))[0]!, message);
    assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
    assert.equal((await app.sync()).phase, 'Error', 'a person does not get past it either');
    assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
  });
}

test('kinds that the project does not permit fail the sync before anything is applied', async () => {
  await project('deny-kinds', { namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }] });
  await namespace('fle-deny-kinds');
  const app = await suite.create(
    'deny-kinds',
    {
      a: configMap('a'),
      s: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } },
      n: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fle-never' } },
    },
    { spec: { project: 'deny-kinds' } },
  );
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.equal(
    state.message,
    'one or more synchronization tasks are not valid: resource :Namespace is not permitted in project deny-kinds; resource :Secret is not permitted in project deny-kinds',
  );
  assert.deepEqual(state.syncResult?.resources?.map(({ kind, status, message }) => [kind, status, message]).sort(), [
    ['Namespace', 'SyncFailed', 'resource :Namespace is not permitted in project deny-kinds'],
    ['Secret', 'SyncFailed', 'resource :Secret is not permitted in project deny-kinds'],
  ]);
  const { status } = await app.reaches('compared', (one) => one.status?.sync?.status === 'OutOfSync');
  assert.deepEqual(
    status?.resources?.map((one) => [one.kind, one.status]),
    [
      ['ConfigMap', 'OutOfSync'],
      ['Namespace', 'Unknown'],
      ['Secret', 'Unknown'],
    ],
  );
  const said = await conditions(app);
  assert.ok(
    said.includes(
      'NotPermittedWarning: Secret fle-deny-kinds/s: resource :Secret is not permitted in project deny-kinds: its namespaceResourceBlacklist refuses /Secret',
    ),
    said.join(),
  );
  for (const [type, name] of [
    [types.ConfigMap, 'a'],
    [types.Secret, 's'],
    [types.Namespace, 'fle-never'],
  ] as const)
    assert.equal(await app.find(type, name), undefined);
});

test('an object that the project no longer permits is not pruned', async () => {
  await project('narrow', {});
  await namespace('fle-narrow');
  const app = await suite.create(
    'narrow',
    { a: configMap('a'), s: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } } },
    { spec: { project: 'narrow', syncPolicy: automated } },
  );
  await app.reaches('synced', ({ status }) => status?.sync?.status === 'Synced');
  const rules = { spec: { namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }] } };
  await suite.client.patch(appProjectKind.type, { namespace: suite.namespace, name: 'narrow' }, 'merge', rules);
  app.commit({ a: configMap('a', {}, { n: '2' }) });
  await until('the commit is there', async () => (await app.find(types.ConfigMap, 'a'))?.data?.['n'] === '2');
  assert.ok(await app.find(types.Secret, 's'), 'it is not ours to delete any more');
  assert.match(
    (await conditions(app)).join(),
    /Secret fle-narrow\/s is live and no longer in the source, but not permitted/,
  );
});

test('orphaned resources are reported with their names, unless they are ignored', async () => {
  await project('orphans', { orphanedResources: { warn: true, ignore: [{ kind: 'Secret' }] } });
  await namespace('fle-orphans');
  const app = await suite.create(
    'orphans',
    { a: configMap('a') },
    { spec: { project: 'orphans', syncPolicy: automated } },
  );
  await app.reaches('synced', ({ status }) => status?.sync?.status === 'Synced');
  const metadata = { name: 'lost', namespace: app.namespace };
  await suite.client.create(types.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await suite.client.create(types.Secret, { apiVersion: 'v1', kind: 'Secret', metadata });
  await until('warned', async () => (await conditions(app)).length > 0);
  assert.match(
    (await conditions(app))[0]!,
    /^OrphanedResourceWarning: Application has 1 orphaned resources: ConfigMap fle-orphans\/lost: delete them, or list them in/,
  );
  await suite.client.delete(types.ConfigMap, { namespace: app.namespace, name: 'lost' });
  await until('no longer warned', async () => (await conditions(app)).length === 0);
});

test('two Applications with the same target object both report it, and neither prunes the object of the other', async () => {
  const shared = configMap('both');
  const where = { destination: { server: 'https://kubernetes.default.svc', namespace: 'fle-first' } };
  const first = await suite.create(
    'first',
    { shared },
    { spec: { ...where, syncPolicy: { ...automated, syncOptions: ['CreateNamespace=true'] } } },
  );
  await first.reaches('synced', ({ status }) => status?.sync?.status === 'Synced');
  const second = await suite.create('second', { shared, own: configMap('own') }, { spec: where });
  const warned = await second.reaches('reported', ({ status }) =>
    Boolean(status?.conditions?.some(({ type }) => type === 'SharedResourceWarning')),
  );
  assert.equal(
    warned.status!.conditions!.find(({ type }) => type === 'SharedResourceWarning')!.message,
    `ConfigMap/both is part of applications ${suite.namespace}/second and first`,
  );
  assert.ok(suite.events.some((event) => event.startsWith('SharedResourceWarning: ConfigMap/both is part of')));
  second.commit({ own: configMap('own') });
  await second.sync({ prune: true });
  assert.ok(await first.find(types.ConfigMap, 'both'));
});

test('a project that is deleted waits for its last Application', async () => {
  await project('going', {}, ['resources-finalizer.argocd.argoproj.io']);
  const app = await suite.create('going', { a: configMap('a') }, { spec: { project: 'going' } });
  await app.reaches('compared', ({ status }) => status?.sync !== undefined);
  const key = { namespace: suite.namespace, name: 'going' };
  await suite.client.delete(appProjectKind.type, key);
  const there = (): Promise<boolean> =>
    suite.client.get(appProjectKind.type, key).then(
      () => true,
      () => false,
    );
  await until('it reports why it waits', () =>
    suite.events.some((event) => event.startsWith('DeletionWaits: 1 Application is')),
  );
  assert.ok(await there());
  await app.delete();
  await until('it is deleted', async () => !(await there()));
});

test('global projects: a project inherits the rules of each global project whose selector matches it', async () => {
  await project('company', { namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }], sourceRepos: [] });
  await project('team', {}, [], { tier: 'production' });
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b' } };
  const app = await suite.create('global', { a: configMap('a'), b: secret }, { spec: { project: 'team' } });
  await app.reaches('compared', ({ status }) => status?.resources?.length === 2);
  await suite.configure({
    globalProjects:
      '- projectName: company\n  labelSelector:\n    matchExpressions:\n    - {key: tier, operator: In, values: [production]}\n',
  });
  try {
    await app.reaches('refused', ({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message.includes('namespaceResourceBlacklist refuses /Secret')),
    );
    assert.match((await app.sync()).message ?? '', /resource :Secret is not permitted in project team$/);
    assert.equal(await app.find(types.Secret, 'b'), undefined);
  } finally {
    await suite.configure({});
  }
  await app.reaches('permitted again', ({ status }) =>
    Boolean(status?.resources?.every((one) => one.status === 'OutOfSync')),
  );
});
