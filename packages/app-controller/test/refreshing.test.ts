/** What triggers a refresh, what the controller does automatically, and what prevents it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import { type KubeObject, parseLabelSelector } from '@fairlead/apimachinery';
import { Simulation } from '@fairlead/sim';
import { defaultSettings } from '../src/reconcile-env.ts';
import { application, ControllerSimulation, configMap, configMaps } from './support/simulation.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

async function synced(
  files: Record<string, string> = { 'a.json': configMap('a', { n: '1' }) },
  app = application(),
  settings = defaultSettings,
  seed = 1,
  status = 'Synced',
) {
  const simulation = new ControllerSimulation(new Simulation(seed));
  simulation.settings = settings;
  simulation.start();
  simulation.sources.commit(files);
  simulation.create(app);
  const settled = () => simulation.sync === status && simulation.application?.operation === undefined;
  assert.ok(await simulation.sim.reach(settled, minutes), JSON.stringify(simulation.application?.status, null, 1));
  await simulation.sim.pass(5 * seconds);
  return simulation;
}

const shopAt = (path: string) => ({ repoURL: 'https://example.com/shop.git', path });

const edit = (simulation: ControllerSimulation, name: string, data: Record<string, string>): void => {
  const { resourceVersion: _, ...metadata } = simulation.find(configMaps, name)!.metadata;
  simulation.server.store.replace(configMaps, { ...simulation.find(configMaps, name)!, metadata, data } as KubeObject);
};

test('errors of a repository are tolerated for three minutes, and then reported', async () => {
  const simulation = await synced();
  simulation.sources.broken = 'https://example.com/shop: timed out';
  for (let i = 0; i < 17; i++) {
    await simulation.sim.pass(10 * seconds);
    assert.equal(simulation.sync, 'Synced', `after ${i * 10} s`);
  }
  assert.ok(await simulation.sim.reach(() => simulation.sync === 'Unknown', 6 * minutes));
  assert.match(simulation.conditions[0]!, /^ComparisonError: .*timed out/);
  await simulation.sim.pass(seconds);
  assert.ok(
    simulation.events.some((event) => /^ComparisonError: .*timed out/.test(event)),
    'and an event reports it',
  );
  simulation.sources.broken = undefined;
  assert.ok(await simulation.sim.reach(() => simulation.sync === 'Synced', minutes));
});

test('a new source is resolved again even if the repository was fetched a moment before', async () => {
  const simulation = await synced({ 'a/a.json': configMap('a') }, application({ source: shopAt('a') }));
  simulation.change((app) => ({ ...app, spec: { ...app.spec, source: shopAt('./a') } }));
  assert.ok(await simulation.sim.reach(() => simulation.comparedPath === './a', 10 * seconds));
  simulation.sources.commitUnseen({ 'a/a.json': configMap('a'), 'b/b.json': configMap('b') });
  simulation.change((app) => ({ ...app, spec: { ...app.spec, source: shopAt('b') } }));
  assert.ok(await simulation.sim.reach(() => simulation.comparedPath === 'b', 10 * seconds));
  assert.deepEqual(
    simulation.conditions.filter((one) => one.startsWith('ComparisonError')),
    [],
  );
  assert.deepEqual(
    simulation.events.filter((event) => event.startsWith('ComparisonError')),
    [],
  );
});

test('a requested refresh reports errors at once', async () => {
  const simulation = await synced();
  simulation.sources.broken = 'https://example.com/shop: timed out';
  simulation.change((app) => ({
    ...app,
    metadata: { ...app.metadata, annotations: { 'argocd.argoproj.io/refresh': 'normal' } },
  }));
  assert.ok(await simulation.sim.reach(() => simulation.sync === 'Unknown', 5 * seconds));
});

test('live objects are compared while the repository is unreachable', async () => {
  const simulation = await synced();
  simulation.sources.broken = 'https://example.com/shop: timed out';
  edit(simulation, 'a', { n: 'by hand' });
  assert.ok(await simulation.sim.reach(() => simulation.sync === 'OutOfSync', 10 * seconds));
});

/** The longest delay of a simulated watch event, plus the rest of a refresh and the rounding to seconds. */
const slowestMs = 5 * seconds + 1.5 * seconds;

test('each self-heal of one commit has a longer delay than the last; a new commit resets it', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const simulation = await synced(undefined, undefined, undefined, seed);
    const state = () => simulation.application!.status!.operationState!;
    for (const [i, delay] of [0, 2, 6, 18, 54].entries()) {
      const due = Date.parse(state().finishedAt!) + delay * seconds;
      const edited = simulation.sim.clock.now();
      edit(simulation, 'a', { n: `by hand ${i}` });
      const healed = () =>
        state().operation.sync?.autoHealAttemptsCount === i + 1 && simulation.application?.operation === undefined;
      assert.ok(await simulation.sim.reach(healed, 5 * minutes), `seed ${seed}`);
      assert.equal(simulation.find(configMaps, 'a')?.data?.['n'], '1');
      const began = Date.parse(state().startedAt);
      const what = `heal ${i + 1} of seed ${seed} began ${began - due} ms after it was due, ${began - edited} ms after the edit`;
      assert.ok(began >= due, what);
      assert.ok(began <= Math.max(due, edited) + slowestMs, what);
    }
    const committed = simulation.sim.clock.now();
    simulation.sources.commit({ 'a.json': configMap('a', { n: '2' }) });
    assert.ok(await simulation.sim.reach(() => simulation.find(configMaps, 'a')?.data?.['n'] === '2', minutes));
    assert.ok(simulation.sim.clock.now() - committed < slowestMs, 'a new commit does not wait');
  }
});

test('automated sync takes effect at once when it is enabled', async () => {
  const simulation = new ControllerSimulation(new Simulation(1));
  simulation.start();
  simulation.sources.commit({ 'a.json': configMap('a') });
  const off = application({ syncPolicy: { automated: { enabled: false }, syncOptions: ['CreateNamespace=true'] } });
  simulation.create(off);
  await simulation.sim.reach(() => simulation.sync === 'OutOfSync', minutes);
  await simulation.sim.pass(minutes);
  assert.equal(simulation.find(configMaps, 'a'), undefined);
  simulation.change((app) => ({
    ...app,
    spec: { ...app.spec, syncPolicy: { ...app.spec.syncPolicy!, automated: {} } },
  }));
  assert.ok(await simulation.sim.reach(() => simulation.find(configMaps, 'a') !== undefined, 5 * seconds));
});

const requestRefresh = (simulation: ControllerSimulation, value = 'normal'): void =>
  simulation.change((app) => ({
    ...app,
    metadata: { ...app.metadata, annotations: { 'argocd.argoproj.io/refresh': value } },
  }));

const asked = (simulation: ControllerSimulation): string | undefined =>
  simulation.application?.metadata.annotations?.['argocd.argoproj.io/refresh'];

test('a refresh requested during another is not lost', async () => {
  const simulation = await synced();
  requestRefresh(simulation);
  requestRefresh(simulation, 'hard');
  assert.ok(await simulation.sim.reach(() => asked(simulation) === undefined, 10 * seconds));
});

test('the refresh annotation is removed only after the result is written', async () => {
  const simulation = await synced(undefined, application({ syncPolicy: {} }), undefined, 1, 'OutOfSync');
  simulation.sources.commitUnseen({ 'a.json': configMap('a', { n: '2' }) });
  requestRefresh(simulation);
  assert.ok(await simulation.sim.reach(() => asked(simulation) === undefined, 10 * seconds));
  assert.equal(simulation.application?.status?.sync?.revision, simulation.sources.head);
});

test('a controller that crashes during a refresh leaves the refresh annotation for the next one', async () => {
  const simulation = await synced(undefined, application({ syncPolicy: {} }), undefined, 1, 'OutOfSync');
  const before = simulation.sources.resolutions;
  simulation.sources.commitUnseen({ 'a.json': configMap('a', { n: '2' }) });
  requestRefresh(simulation);
  assert.ok(await simulation.sim.reach(() => simulation.sources.resolutions > before, 10 * seconds));
  simulation.running?.process.crash();
  await simulation.sim.pass(minutes);
  assert.equal(asked(simulation), 'normal');
  simulation.start();
  assert.ok(await simulation.sim.reach(() => asked(simulation) === undefined, 10 * seconds));
  assert.equal(simulation.application?.status?.sync?.revision, simulation.sources.head);
});

/** Closed for the next minutes of the virtual clock. */
const shut = (
  simulation: ControllerSimulation,
  ms: number,
): { kind: string; schedule: string; duration: string; applications: string[] } => {
  const now = new Date(simulation.sim.clock.now() - minutes);
  const end = simulation.sim.clock.now() + ms;
  const schedule = `${now.getUTCMinutes()} ${now.getUTCHours()} * * *`;
  const begins = Date.UTC(
    now.getUTCFullYear(),
    now.getUTCMonth(),
    now.getUTCDate(),
    now.getUTCHours(),
    now.getUTCMinutes(),
  );
  return { kind: 'deny', schedule, duration: `${Math.ceil((end - begins) / minutes)}m`, applications: ['*'] };
};

test('a closed window blocks an automated sync, reports its end, and permits the sync when it opens', async () => {
  const simulation = await synced();
  simulation.rule({ syncWindows: [shut(simulation, 10 * minutes)] });
  await simulation.sim.pass(5 * seconds);
  simulation.sources.commit({ 'a.json': configMap('a', { n: '2' }) });
  await simulation.sim.pass(5 * minutes);
  assert.equal(simulation.find(configMaps, 'a')?.data?.['n'], '1');
  const condition = simulation.conditions.find((text) => text.startsWith('SyncWindow: '));
  const at = /automated sync waits: the deny window .* is open; the next sync may run at (\S+)$/.exec(
    condition ?? '',
  )?.[1];
  assert.ok(at, simulation.conditions.join('\n'));
  assert.ok(await simulation.sim.reach(() => simulation.find(configMaps, 'a')?.data?.['n'] === '2', 20 * minutes));
  const late = simulation.sim.clock.now() - Date.parse(at);
  assert.ok(late >= 0 && late < 5 * seconds, `${late} ms after it opened`);
  await simulation.sim.reach(() => simulation.conditions.length === 0, minutes);
  assert.deepEqual(simulation.conditions, []);
});

test('a manual sync also waits for the window, unless the window has manualSync', async () => {
  for (const manualSync of [false, true]) {
    const simulation = await synced(
      { 'a.json': configMap('a') },
      application({ syncPolicy: { syncOptions: ['CreateNamespace=true'], automated: {} } }),
    );
    simulation.rule({ syncWindows: [{ ...shut(simulation, 10 * minutes), manualSync }] });
    await simulation.sim.pass(5 * seconds);
    const revision = simulation.sources.commit({ 'a.json': configMap('a', { n: '2' }) });
    await simulation.sim.pass(5 * seconds);
    simulation.change((app) => ({ ...app, operation: { sync: { revision }, initiatedBy: { username: 'ada' } } }));
    await simulation.sim.pass(minutes);
    assert.equal(simulation.find(configMaps, 'a')?.data?.['n'] === '2', manualSync);
    if (manualSync) continue;
    const { phase, message = '' } = simulation.application!.status!.operationState!;
    assert.equal(phase, 'Running');
    assert.equal(message, 'Sync operation blocked by sync window');
    assert.ok(await simulation.sim.reach(() => simulation.find(configMaps, 'a')?.data?.['n'] === '2', 15 * minutes));
  }
});

test('a changed project refreshes its Applications: violations are reported, and permitted ones are synced again', async () => {
  const simulation = await synced();
  simulation.rule({ sourceRepos: ['https://example.com/other'] });
  assert.ok(await simulation.sim.reach(() => simulation.sync === 'Unknown', 5 * seconds));
  assert.deepEqual(simulation.conditions, [
    "InvalidSpecError: application repo https://example.com/shop.git is not permitted in project 'default'",
  ]);
  simulation.rule({});
  assert.ok(await simulation.sim.reach(() => simulation.sync === 'Synced', 5 * seconds));
});

test('the rules of a global project apply to the projects that its selector matches, and changes take effect', async () => {
  const selector = parseLabelSelector('tier in (production)');
  const simulation = await synced(undefined, application(), {
    ...defaultSettings,
    globalProjects: [{ projectName: 'global', selector }],
  });
  const globalProject = (spec: AppProject['spec']): AppProject => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'global', namespace: 'argocd' },
    spec,
  });
  simulation.server.store.create(
    appProjectKind.type,
    globalProject({ namespaceResourceBlacklist: [{ group: '', kind: 'ConfigMap' }] }),
  );
  await simulation.sim.pass(10 * seconds);
  assert.deepEqual(simulation.conditions, [], 'its labels do not choose the project yet');
  simulation.rule({}, { labels: { tier: 'production' } });
  const refused = () => simulation.conditions.some((text) => text.includes('namespaceResourceBlacklist refuses'));
  assert.ok(await simulation.sim.reach(refused, 10 * seconds), simulation.conditions.join());
  simulation.server.store.replace(appProjectKind.type, globalProject({}));
  assert.ok(await simulation.sim.reach(() => simulation.conditions.length === 0, 10 * seconds));
});

test('a project rule that cannot be enforced prevents any sync', async () => {
  for (const rule of [{ signatureKeys: [{ keyID: 'ABCDEF' }] }, { permitOnlyProjectScopedClusters: true }]) {
    const simulation = new ControllerSimulation(new Simulation(1));
    simulation.rule(rule);
    simulation.start();
    simulation.sources.commit({ 'a.json': configMap('a') });
    simulation.create(application());
    await simulation.sim.reach(() => simulation.sync === 'Unknown', minutes);
    await simulation.sim.pass(5 * minutes);
    assert.match(
      simulation.conditions[0] ?? '',
      /^(InvalidSpecError|ComparisonError): .*(signatures cannot be checked|do not match any of the allowed destinations)/,
    );
    assert.equal(simulation.find(configMaps, 'a'), undefined);
  }
});

test('a deleted project is removed only after its last Application', async () => {
  const simulation = await synced();
  simulation.rule({}, { finalizers: ['resources-finalizer.argocd.argoproj.io'] });
  await simulation.sim.pass(seconds);
  simulation.server.store.delete(appProjectKind.type, { namespace: 'argocd', name: 'default' });
  await simulation.sim.pass(minutes);
  const there = () =>
    simulation.server.store.find(appProjectKind.type, { namespace: 'argocd', name: 'default' }) !== undefined;
  assert.ok(there());
  simulation.server.store.delete(applicationKind.type, { namespace: 'argocd', name: 'shop' });
  assert.ok(await simulation.sim.reach(() => !there(), minutes));
});

test('orphaned objects are reported if the project enables it', async () => {
  const simulation = await synced();
  simulation.rule({ orphanedResources: { warn: true, ignore: [{ kind: 'ConfigMap', name: 'known-*' }] } });
  await simulation.sim.pass(5 * seconds);
  assert.deepEqual(simulation.conditions, []);
  for (const name of ['lost', 'known-one']) {
    const metadata = { name, namespace: 'web' };
    simulation.server.store.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
  assert.ok(await simulation.sim.reach(() => simulation.conditions.length > 0, 10 * seconds));
  assert.match(
    simulation.conditions[0]!,
    /^OrphanedResourceWarning: Application has 1 orphaned resources: ConfigMap web\/lost: /,
  );
  simulation.server.store.delete(configMaps, { namespace: 'web', name: 'lost' });
  assert.ok(await simulation.sim.reach(() => simulation.conditions.length === 0, 10 * seconds));
});

test('an Application whose refresh throws does not block another', async () => {
  const simulation = new ControllerSimulation(new Simulation(1));
  simulation.start();
  simulation.sources.commit({ 'a.json': configMap('a') });
  // No schema would accept its destination.
  const odd = {
    ...application(),
    metadata: { name: 'odd', namespace: 'argocd' },
    spec: { project: 'default', source: null },
  };
  simulation.create(odd as unknown as Application);
  simulation.create(application());
  assert.ok(await simulation.sim.reach(() => simulation.sync === 'Synced', minutes));
});

test('Applications in a namespace that the settings do not name are never written', async () => {
  const simulation = new ControllerSimulation(new Simulation(1));
  let namespaces: readonly string[] = [];
  simulation.settings = {
    ...defaultSettings,
    get applicationNamespaces() {
      return namespaces;
    },
  };
  simulation.start();
  simulation.sources.commit({ 'a.json': configMap('a') });
  const guest: Application = { ...application(), metadata: { name: 'shop', namespace: 'team-a' } };
  simulation.create(guest);
  simulation.rule({ sourceNamespaces: ['team-*'] });
  const key = { namespace: 'team-a', name: 'shop' };
  const seen = () => simulation.server.store.find(applicationKind.type, key) as Application | undefined;
  const version = seen()?.metadata.resourceVersion;
  await simulation.sim.pass(10 * minutes);
  assert.equal(seen()?.metadata.resourceVersion, version);
  assert.equal(simulation.find(configMaps, 'a'), undefined);
  namespaces = ['/^team-[a-z]$/'];
  simulation.settingsChanged();
  assert.ok(await simulation.sim.reach(() => seen()?.status?.sync?.status === 'Synced', minutes));
});

test('Applications outside the namespace of the control plane need the permission of their project', async () => {
  const simulation = new ControllerSimulation(new Simulation(1));
  simulation.settings = { ...defaultSettings, applicationNamespaces: ['team-*'] };
  simulation.start();
  simulation.sources.commit({ 'a.json': configMap('a') });
  const guest: Application = { ...application(), metadata: { name: 'shop', namespace: 'team-a' } };
  simulation.create(guest);
  const seen = () =>
    simulation.server.store.find(applicationKind.type, { namespace: 'team-a', name: 'shop' }) as
      | Application
      | undefined;
  await simulation.sim.reach(() => seen()?.status?.sync?.status === 'Unknown', minutes);
  assert.match(
    seen()?.status?.conditions?.[0]?.message ?? '',
    /application 'shop' in namespace 'team-a' is not permitted to use project 'default'$/,
  );
  simulation.rule({ sourceNamespaces: ['team-*'] });
  assert.ok(await simulation.sim.reach(() => seen()?.status?.sync?.status === 'Synced', minutes));
  assert.equal(
    simulation.find(configMaps, 'a')?.metadata.annotations?.['argocd.argoproj.io/tracking-id'],
    'team-a_shop:/ConfigMap:web/a',
  );
});

test('more resources than fit in an Application are listed in a separate object', async () => {
  const files = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`${i}.json`, configMap(`c-${i}`)]));
  const simulation = await synced(files, application(), { ...defaultSettings, inlineResources: 20 });
  assert.equal(simulation.application!.status?.resources?.length, 20);
  assert.deepEqual(simulation.conditions, [
    'ResourcesMoved: 25 resources, of which 20 are listed here: all of them are in ConfigMap argocd/application-shop-resources',
  ]);
  const store = simulation.server.store.find(configMaps, { namespace: 'argocd', name: 'application-shop-resources' });
  assert.equal(store?.metadata.annotations?.['fairlead.dev/resource-count'], '25');
  assert.equal(store.metadata.ownerReferences?.[0]?.name, 'shop', 'it is deleted with the Application');
  simulation.writes.length = 0;
  await simulation.sim.pass(10 * minutes);
  assert.deepEqual(simulation.writes, [], 'an unchanged list is not stored again');
});

test('an Application with the skip-reconcile annotation is skipped until the annotation is removed', async () => {
  const simulation = await synced();
  const skip = (annotations: Record<string, string>) =>
    simulation.change((app) => ({ ...app, metadata: { ...app.metadata, annotations } }));
  skip({ 'argocd.argoproj.io/skip-reconcile': 'true' });
  await simulation.sim.pass(seconds);
  edit(simulation, 'a', { n: 'by hand' });
  simulation.sources.commit({ 'a.json': configMap('a', { n: '2' }) });
  simulation.writes.length = 0;
  await simulation.sim.pass(10 * minutes);
  assert.deepEqual(simulation.writes, []);
  skip({});
  assert.ok(await simulation.sim.reach(() => simulation.find(configMaps, 'a')?.data?.['n'] === '2', minutes));
});

test('an object that a watch never reported is not healed forever: the live object is read from the server', async () => {
  const simulation = await synced();
  simulation.loses = ({ metadata }) => metadata.name === 'b';
  simulation.sources.commit({ 'a.json': configMap('a', { n: '1' }), 'b.json': configMap('b') });
  assert.ok(await simulation.sim.reach(() => simulation.find(configMaps, 'b') !== undefined, minutes));
  const settled = () => simulation.sync === 'Synced' && simulation.application?.operation === undefined;
  assert.ok(await simulation.sim.reach(settled, 2 * minutes), JSON.stringify(simulation.conditions));
  const { operation } = simulation.application!.status!.operationState!;
  assert.equal(operation.sync?.autoHealAttemptsCount, 1, 'one try, and then a read');
});
