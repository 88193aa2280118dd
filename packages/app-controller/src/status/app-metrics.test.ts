import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { ApiError } from '@fairlead/apimachinery';
import { type ApiClient, MetricsRegistry } from '@fairlead/kube';
import { createAppMetrics } from './app-metrics.ts';

const application = (name: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace: 'argocd' },
  spec: {
    project: 'shop',
    source: { repoURL: 'https://Example.com/Team/shop.git', path: '.' },
    destination: { name: 'in-cluster', namespace: 'web' },
    syncPolicy: { automated: {} },
  },
  status: {
    sync: { status: 'OutOfSync' },
    health: { status: 'Degraded' },
    conditions: [{ type: 'SyncError', message: 'a "quoted" reason\nin two lines' }],
  },
});
const server = 'https://kubernetes.default.svc';

/** A strict parser of the Prometheus text format. */
function parse(text: string): Map<string, { labels: Record<string, string>; value: number }[]> {
  const found = new Map<string, { labels: Record<string, string>; value: number }[]>();
  const types = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/u.exec(line);
    if (type) types.set(type[1]!, type[2]!);
    if (line.startsWith('# ')) continue;
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/u.exec(line);
    assert.ok(match, `no sample: ${line}`);
    const [, name = '', pairs = '', value = ''] = match;
    const labels: Record<string, string> = {};
    let rest = pairs;
    while (rest !== '') {
      const pair = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/u.exec(rest);
      assert.ok(pair, `no label: ${rest}`);
      labels[pair[1]!] = pair[2]!;
      rest = rest.slice(pair[0].length);
    }
    assert.ok(types.has(name) || types.has(name.replace(/_(?:bucket|sum|count)$/u, '')), `${name} has no type`);
    assert.ok(Number.isFinite(Number(value)) || value === '+Inf', line);
    found.set(name, [...(found.get(name) ?? []), { labels, value: Number(value) }]);
  }
  return found;
}

function setup(applications: Application[]) {
  const registry = new MetricsRegistry();
  const metrics = createAppMetrics(registry);
  metrics.describe({ applications: () => applications, serverOf: () => server });
  return { metrics, read: async () => parse(await registry.text()) };
}

test('Applications are reported with the metric names of Argo CD', async () => {
  const { read } = setup([application('web')]);
  assert.deepEqual((await read()).get('argocd_app_info'), [
    {
      labels: {
        namespace: 'argocd',
        name: 'web',
        project: 'shop',
        autosync_enabled: 'true',
        repo: 'https://example.com/Team/shop',
        dest_server: server,
        dest_namespace: 'web',
        sync_status: 'OutOfSync',
        health_status: 'Degraded',
        operation: '',
      },
      value: 1,
    },
  ]);
  assert.deepEqual((await read()).get('argocd_app_condition'), [
    { labels: { namespace: 'argocd', name: 'web', project: 'shop', condition: 'SyncError' }, value: 1 },
  ]);
});

test('syncs, reconciles and orphans are counted', async () => {
  const app = application('web');
  const { metrics, read } = setup([app]);
  const state = {
    operation: {},
    phase: 'Failed',
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:00:07Z',
  };
  metrics.synced(app, server, state);
  metrics.reconciled(app, server, 300);
  metrics.orphans(app, 4);
  const found = await read();
  const own = { namespace: 'argocd', name: 'web', project: 'shop' };
  assert.deepEqual(found.get('argocd_app_sync_total'), [
    { labels: { ...own, dest_server: server, phase: 'Failed', dry_run: 'false' }, value: 1 },
  ]);
  assert.equal(found.get('argocd_app_sync_duration_seconds_total')?.[0]?.value, 7);
  assert.deepEqual(found.get('argocd_app_orphaned_resources_count'), [{ labels: own, value: 4 }]);
  assert.deepEqual(
    found.get('argocd_app_reconcile_bucket')?.map(({ labels, value }) => [labels['le'], value]),
    [
      ['0.25', 0],
      ['0.5', 1],
      ['1', 1],
      ['2', 1],
      ['4', 1],
      ['8', 1],
      ['16', 1],
      ['+Inf', 1],
    ],
  );
});

test('requests are counted for the Application on whose behalf they are made', async () => {
  const app = application('web');
  const { metrics, read } = setup([app]);
  const client = metrics.counted(
    {
      get: async () => ({}),
      create: async () => {
        throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, code: 403, reason: 'Forbidden' });
      },
    } as unknown as ApiClient,
    server,
  );
  const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
  await metrics.during(app, () => client.get(type, { namespace: 'web', name: 'a' }));
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'web' } };
  await assert.rejects(client.create(type, object, { dryRun: true }));
  const samples = (await read())
    .get('argocd_app_k8s_request_total')
    ?.map(({ labels: { name, verb, response_code, resource_kind, resource_namespace, dry_run } }) =>
      [name, verb, response_code, resource_kind, resource_namespace, dry_run].join(' '),
    );
  assert.deepEqual(samples, ['web Get 200 configmaps web false', ' Create 403 configmaps web true']);
});

test('a deleted Application leaves no series', async () => {
  const applications = [application('web'), application('api')];
  const { metrics, read } = setup(applications);
  for (const app of applications) {
    metrics.orphans(app, 1);
    metrics.synced(app, server, { operation: {}, phase: 'Succeeded', startedAt: '' });
  }
  metrics.forget(applications.shift()!);
  const names = [...(await read()).values()].flatMap((series) => series.flatMap(({ labels }) => labels['name'] ?? []));
  assert.deepEqual([...new Set(names)], ['api']);
});
