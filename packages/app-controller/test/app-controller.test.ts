import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationKind } from '@fairlead/api';
import { drawFaults, Simulation } from '@fairlead/sim';
import { application, ControllerSimulation, claims, configMap, configMaps, secrets } from './support/simulation.ts';

const minutes = 60_000;

async function started(seed = 1): Promise<ControllerSimulation> {
  const simulation = new ControllerSimulation(new Simulation(seed));
  simulation.start();
  return simulation;
}

async function settles(
  simulation: ControllerSimulation,
  expected: Record<string, Record<string, string>>,
  withinMs = minutes,
): Promise<void> {
  const settled = await simulation.sim.reach(() => simulation.isSettledOn(expected), withinMs);
  assert.ok(settled, JSON.stringify({ status: simulation.application?.status, expected }, null, 1));
}

test('a new Application is synced, then a new commit, and objects removed from the source are pruned', async () => {
  const simulation = await started();
  const first = simulation.sources.commit({ 'a.json': configMap('a', { n: '1' }), 'b.json': configMap('b') });
  simulation.create(application());
  await settles(simulation, { a: { n: '1' }, b: {} });
  const { status } = simulation.application!;
  assert.equal(status?.sync?.revision, first);
  assert.equal(status?.health?.status, 'Healthy');
  assert.equal(status?.sourceType, 'Directory');
  assert.equal(status?.operationState?.phase, 'Succeeded');
  assert.deepEqual(
    status?.history?.map(({ id, revision }) => [id, revision]),
    [[0, first]],
  );
  assert.deepEqual(status?.conditions, []);
  assert.equal(
    simulation.find(configMaps, 'a')?.metadata.annotations?.['argocd.argoproj.io/tracking-id'],
    'shop:/ConfigMap:web/a',
  );
  assert.ok(simulation.writes.includes('ADDED Namespace web'), 'CreateNamespace=true');
  const second = simulation.sources.commit({ 'a.json': configMap('a', { n: '2' }) });
  await settles(simulation, { a: { n: '2' } }, 10_000);
  assert.deepEqual(
    simulation.application?.status?.history?.map(({ revision }) => revision),
    [first, second],
  );
});

test('drift is healed without changing other objects', async () => {
  const simulation = await started();
  simulation.sources.commit({ 'a.json': configMap('a', { n: '1' }), 'b.json': configMap('b') });
  simulation.create(application());
  await settles(simulation, { a: { n: '1' }, b: {} });
  simulation.writes.length = 0;
  simulation.server.store.delete(configMaps, { namespace: 'web', name: 'a' });
  await settles(simulation, { a: { n: '1' }, b: {} }, 10_000);
  assert.equal(simulation.writes.filter((write) => write.endsWith('ConfigMap b')).length, 0);
  assert.deepEqual(simulation.application?.status?.operationState?.operation.sync?.resources, [
    { kind: 'ConfigMap', name: 'a' },
  ]);
});

test('without changes nothing is written or rendered, even after a long time', async () => {
  const simulation = await started();
  simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create(application());
  await settles(simulation, { a: {} });
  await simulation.sim.pass(minutes);
  simulation.writes.length = 0;
  await simulation.sim.pass(30 * minutes);
  assert.deepEqual(simulation.writes, []);
});

test('a commit that does not change the path of the Application causes no render and no write', async () => {
  const simulation = await started();
  const files = { 'a.json': configMap('a') };
  const revision = simulation.sources.commit({ ...files, 'other/b.json': configMap('b') });
  simulation.create(application());
  await settles(simulation, { a: {} });
  simulation.writes.length = 0;
  simulation.sources.commit({ ...files, 'other/b.json': configMap('b', { n: '2' }) });
  await simulation.sim.pass(10 * minutes);
  assert.deepEqual(simulation.writes, []);
  assert.equal(simulation.application?.status?.sync?.revision, revision, 'it stays at the commit that last changed it');
});

test('without automated sync the Application only reports differences, until a sync is requested', async () => {
  const simulation = await started();
  const revision = simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create(application({ syncPolicy: {} }));
  await simulation.sim.reach(() => simulation.sync === 'OutOfSync', minutes);
  await simulation.sim.pass(minutes);
  assert.equal(simulation.find(configMaps, 'a'), undefined);
  assert.deepEqual(
    simulation.application?.status?.conditions?.map(({ type, message }) => `${type}: ${message}`),
    ['NotHealthy: ConfigMap web/a is Missing', 'OutOfSync: ConfigMap web/a does not exist'],
  );
  simulation.change((app) => ({
    ...app,
    operation: { sync: { revision, syncOptions: ['CreateNamespace=true'] }, initiatedBy: { username: 'ada' } },
  }));
  await settles(simulation, { a: {} });
  assert.equal(simulation.application?.status?.operationState?.operation.initiatedBy?.username, 'ada');
});

test('a render error is a condition with file and line, and live objects are unchanged', async () => {
  const simulation = await started();
  simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create(application());
  await settles(simulation, { a: {} });
  simulation.sources.commit({ 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [}\n' });
  await simulation.sim.reach(() => simulation.sync === 'Unknown', minutes);
  const [condition] = simulation.application?.status?.conditions ?? [];
  assert.equal(condition?.type, 'ComparisonError');
  assert.match(
    condition.message,
    /^Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = FailedPrecondition desc = Failed to unmarshal "a\.yaml": /,
  );
  assert.equal(simulation.application?.status?.health?.status, 'Healthy');
  assert.ok(simulation.find(configMaps, 'a'));
  simulation.sources.commit({ 'a.json': configMap('a', { back: 'again' }) });
  await settles(simulation, { a: { back: 'again' } });
});

test('during a render error, a change of a live object does not restore the last good state', async () => {
  const simulation = await started();
  simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create(application());
  await settles(simulation, { a: {} });
  simulation.sources.commit({ 'a.json': '{' });
  await simulation.sim.reach(() => simulation.sync === 'Unknown', minutes);
  simulation.writes.length = 0;
  const live = simulation.find(configMaps, 'a')!;
  simulation.server.store.replace(configMaps, { ...live, data: { by: 'hand' } } as typeof live);
  await simulation.sim.reach(() => simulation.sync !== 'Unknown', 10_000);
  assert.equal(simulation.sync, 'Unknown');
  assert.deepEqual(simulation.find(configMaps, 'a')?.data, { by: 'hand' });
  assert.match(
    simulation.application?.status?.conditions?.[0]?.message ?? '',
    /Failed to unmarshal "a\.json": unexpected EOF$/,
  );
});

test('an unreachable repository is a condition, and is read again when it is reachable', async () => {
  const simulation = await started();
  simulation.sources.broken = 'https://example.com/shop: could not resolve host';
  simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create(application());
  await simulation.sim.reach(() => simulation.sync === 'Unknown', minutes);
  assert.match(simulation.application!.status!.conditions![0]!.message, /could not resolve host/);
  simulation.sources.broken = undefined;
  await settles(simulation, { a: {} });
});

test('a source that the project does not permit is refused before it is read', async () => {
  const simulation = await started();
  simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create(application({ project: 'none' }));
  await simulation.sim.reach(() => simulation.sync === 'Unknown', minutes);
  assert.deepEqual(
    simulation.application?.status?.conditions?.map(({ type, message }) => `${type}: ${message}`),
    ['InvalidSpecError: Application referencing project none which does not exist'],
  );
  assert.equal(simulation.find(configMaps, 'a'), undefined);
});

test('waves run in order', async () => {
  const simulation = await started();
  const wave = (n: number): Record<string, string> => ({ 'argocd.argoproj.io/sync-wave': String(n) });
  simulation.sources.commit({
    'a.json': configMap('a', {}, wave(2)),
    'b.json': configMap('b', {}, wave(-1)),
    'c.json': configMap('c'),
  });
  simulation.create(application());
  await simulation.sim.reach(() => simulation.sync === 'Synced', minutes);
  assert.deepEqual(
    simulation.writes.filter((write) => /^ADDED ConfigMap/.test(write)),
    ['ADDED ConfigMap b', 'ADDED ConfigMap c', 'ADDED ConfigMap a'],
  );
});

const claimIn =
  (phase: string) =>
  (simulation: ControllerSimulation): void => {
    const claim = simulation.find(claims, 'disk')!;
    const { resourceVersion: _, ...metadata } = claim.metadata;
    simulation.server.store.replace(claims, { ...claim, metadata, status: { phase } } as typeof claim);
  };

for (const [phase, outcome] of [
  ['Bound', 'Succeeded'],
  ['Lost', 'Failed'],
] as const) {
  test(`the next wave waits for health: ${phase} is ${outcome}`, async () => {
    const simulation = await started();
    const claim = JSON.stringify({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'disk' } });
    const later = configMap('later', {}, { 'argocd.argoproj.io/sync-wave': '1' });
    simulation.sources.commit({ 'claim.json': claim, 'later.json': later });
    const app = application();
    simulation.create({ ...app, spec: { ...app.spec, syncPolicy: { ...app.spec.syncPolicy!, retry: { limit: 0 } } } });
    await simulation.sim.reach(() => simulation.find(claims, 'disk') !== undefined, minutes);
    claimIn('Pending')(simulation);
    await simulation.sim.pass(10 * minutes);
    const state = () => simulation.application?.status?.operationState;
    assert.equal(state()?.phase, 'Running');
    assert.equal(state()?.message, 'waiting for healthy state of /PersistentVolumeClaim/disk');
    assert.equal(simulation.find(configMaps, 'later'), undefined);
    claimIn(phase)(simulation);
    await simulation.sim.reach(() => state()?.phase === outcome, minutes);
    assert.equal(state()?.phase, outcome);
    assert.equal(simulation.find(configMaps, 'later') !== undefined, outcome === 'Succeeded');
    if (outcome === 'Failed')
      assert.equal(state()!.message, 'one or more synchronization tasks completed unsuccessfully');
  });
}

test('a kind that the cluster does not serve fails the sync before anything is applied, and the sync is retried', async () => {
  const simulation = await started();
  const thing = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' } });
  simulation.sources.commit({ 'a.json': configMap('a'), 't.json': thing });
  const app = application();
  app.spec.syncPolicy = { ...app.spec.syncPolicy!, retry: { limit: 1, backoff: { duration: '10s' } } };
  simulation.create(app);
  const state = () => simulation.application?.status?.operationState;
  await simulation.sim.reach(() => state()?.retryCount === 1, minutes);
  assert.match(
    state()!.message!,
    /failed to discover server resources for group version example\.com\/v1: .*Retrying attempt #1 at 20/,
  );
  assert.equal(simulation.find(configMaps, 'a'), undefined);
  await simulation.sim.reach(() => state()?.phase === 'Failed', minutes);
  assert.equal(simulation.application?.operation, undefined);
  await simulation.sim.pass(minutes);
  assert.match(
    simulation.application!.status!.conditions!.find(({ type }) => type === 'SyncError')!.message,
    /^Failed last sync attempt to /,
  );
  simulation.sources.commit({ 'a.json': configMap('a') });
  await settles(simulation, { a: {} });
});

test('deletion prunes the objects except those with Delete=false, then removes the finalizer', async () => {
  const simulation = await started();
  const kept = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'kept', annotations: { 'argocd.argoproj.io/sync-options': 'Delete=false' } },
  });
  simulation.sources.commit({ 'a.json': configMap('a'), 'b.json': configMap('b'), 's.json': kept });
  simulation.create(application());
  await settles(simulation, { a: {}, b: {} });
  simulation.server.store.create(configMaps, JSON.parse(configMap('stranger')));
  simulation.server.store.delete(applicationKind.type, { namespace: 'argocd', name: 'shop' });
  await simulation.sim.reach(() => simulation.application === undefined, minutes);
  assert.equal(simulation.application, undefined);
  assert.deepEqual(
    simulation.server.store.list(configMaps).map(({ metadata }) => metadata.name),
    ['stranger'],
  );
  assert.ok(simulation.find(secrets, 'kept'));
});

test('an Application without the finalizer is deleted without its objects', async () => {
  const simulation = await started();
  simulation.sources.commit({ 'a.json': configMap('a') });
  const app = application();
  simulation.create({ ...app, metadata: { name: 'shop', namespace: 'argocd' } });
  await settles(simulation, { a: {} });
  simulation.server.store.delete(applicationKind.type, { namespace: 'argocd', name: 'shop' });
  await simulation.sim.pass(minutes);
  assert.ok(simulation.find(configMaps, 'a'));
});

test('a sync that would delete everything needs confirmation', async () => {
  const simulation = await started();
  simulation.sources.commit({ 'a.json': configMap('a') });
  simulation.create(application());
  await settles(simulation, { a: {} });
  simulation.sources.commit({ 'README.md': 'nothing' });
  await simulation.sim.reach(() => simulation.sync === 'OutOfSync', minutes);
  await simulation.sim.pass(minutes);
  assert.ok(simulation.find(configMaps, 'a'));
  assert.match(
    simulation.application!.status!.conditions!.find(({ type }) => type === 'SyncError')!.message,
    /auto-sync will wipe out all resources/,
  );
});

test('the cluster reaches the state of the source despite faults of the API server and restarts', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const sim = new Simulation(seed);
    const simulation = new ControllerSimulation(
      sim,
      drawFaults((items) => sim.pick(items)),
    );
    let controller = simulation.start();
    simulation.sources.commit({ 'a.json': configMap('a', { n: '0' }) });
    simulation.create(application());
    for (let n = 1; n <= 4; n++) {
      await sim.pass(sim.between(0, 60_000));
      const files = Object.fromEntries(
        ['a', 'b', 'c'].slice(0, sim.between(1, 3)).map((name) => [`${name}.json`, configMap(name, { n: String(n) })]),
      );
      simulation.sources.commit(files);
      if (sim.chance(0.3)) {
        controller.process.crash();
        controller = simulation.start(`controller-${n}`);
      }
    }
    simulation.sources.commit({ 'a.json': configMap('a', { n: 'last' }), 'z.json': configMap('z') });
    await sim.pass(30_000);
    simulation.server.heal();
    const settled = await sim.reach(() => simulation.isSettledOn({ a: { n: 'last' }, z: {} }), 30 * minutes);
    assert.ok(settled, `seed ${seed}: ${JSON.stringify(simulation.application?.status, null, 1)}`);
    simulation.server.store.delete(applicationKind.type, { namespace: 'argocd', name: 'shop' });
    const gone = await sim.reach(() => simulation.application === undefined, 30 * minutes);
    assert.ok(gone, `seed ${seed}: the Application does not go`);
    assert.deepEqual(simulation.server.store.list(configMaps), [], `seed ${seed}: objects are left over`);
    controller.stop();
  }
});
