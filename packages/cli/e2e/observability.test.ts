/** The queries of dashboards and alert rules, evaluated by a real Prometheus that scrapes real roles. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { startGitServer } from '@fairlead/source/git-server';
import { debianPart, freePort } from '@fairlead/source/testing';
import { alerts } from '../src/deploy/monitoring/alerts.ts';
import { dashboards } from '../src/deploy/monitoring/dashboards.ts';
import { connect, Fairlead, temporaryFolder, until } from '../test/support/fairlead-process.ts';

const isWhole = process.env['FAIRLEAD_E2E'] !== undefined;
const { path: program, skip: missing } = isWhole ? debianPart('prometheus', 'prometheus') : { path: '', skip: false };
const skip = isWhole ? missing : 'only in npm run e2e -- observability';

/** Panels that are empty while nothing is wrong, and metrics of parts that this test does not start. */
const emptyWithoutFaults = /== 0$|^fairlead_link_(?:pending|applications|quarantined|overflows)$|fairlead_agent_/u;

test('every query of a dashboard has data, and no alert fires, with a real Prometheus', { skip }, async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  t.after(() => cluster.close());
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  const api = await connect(kubeconfig);
  t.after(() => api.close());
  seedRepository(folder.path);
  const gitServer = await startGitServer({ root: join(folder.path, 'git'), environment: process.env });
  t.after(() => gitServer.close());

  const [controllerPort, principalPort, agentsPort] = [await freePort(), await freePort(), await freePort()];
  const start = (...args: string[]): Fairlead => {
    const role = new Fairlead([...args, '--kubeconfig', kubeconfig]);
    t.after(() => role.stop('SIGKILL'));
    return role;
  };
  const controller = start(
    ...['controller', '--cache-dir', join(folder.path, 'cache'), '--metrics-port', String(controllerPort)],
  );
  await controller.line('working');
  const principal = start('principal', '--port', String(agentsPort), '--status-port', String(principalPort));
  await principal.line('ready');
  await api.client.create<Application>(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: `${gitServer.url}/shop.git`, path: '.' },
      destination: { name: 'in-cluster', namespace: 'default' },
      syncPolicy: { automated: {} },
    },
  });
  await until(
    async () =>
      (await api.client.get<Application>(applicationKind.type, { namespace: 'argocd', name: 'shop' })).status?.sync
        ?.status === 'Synced',
    30_000,
    () => controller.output,
  );

  const port = await freePort();
  const prometheus = startPrometheus(folder.path, port, {
    'fairlead-controller': controllerPort,
    'fairlead-principal': principalPort,
  });
  t.after(() => prometheus.kill('SIGKILL'));
  const query = async (expr: string): Promise<readonly unknown[]> => {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`;
    const answer: { status: string; error?: string; data: { result: unknown[] } } = JSON.parse(
      await (await fetch(url)).text(),
    );
    assert.equal(answer.status, 'success', `${expr}: ${answer.error}`);
    return answer.data.result;
  };
  // A rate needs two scrapes.
  await until(
    async () => (await query('rate(process_cpu_seconds_total[5m])').catch(() => [])).length === 2,
    60_000,
    () => 'Prometheus has not scraped both roles twice',
  );
  for (const { title, panels } of dashboards) {
    for (const { title: panel, queries } of panels) {
      for (const { expr } of queries) {
        const result = await query(expr);
        if (!emptyWithoutFaults.test(expr)) assert.ok(result.length > 0, `${title}, ${panel}: no data for ${expr}`);
      }
    }
  }
  for (const { name, expr } of alerts) assert.deepEqual(await query(expr), [], `${name} fires`);
});

function startPrometheus(dir: string, port: number, jobs: Readonly<Record<string, number>>): ChildProcess {
  const scrape = Object.entries(jobs).map(([job_name, at]) => ({
    job_name,
    static_configs: [{ targets: [`127.0.0.1:${at}`] }],
  }));
  const config = join(dir, 'prometheus.yml');
  // YAML contains JSON.
  writeFileSync(config, JSON.stringify({ global: { scrape_interval: '1s' }, scrape_configs: scrape }));
  return spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(dir, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
}

function seedRepository(dir: string): void {
  const [work, bare] = [join(dir, 'work'), join(dir, 'git', 'shop.git')];
  mkdirSync(work);
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop' }, data: { a: '1' } };
  writeFileSync(join(work, 'a.json'), JSON.stringify(object));
  for (const args of [
    ['init', '-q', '--initial-branch=main'],
    ['add', '-A'],
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'first'],
    ['push', '-q', bare, 'HEAD:main'],
  ])
    execFileSync('git', ['-C', work, ...args], { stdio: 'pipe' });
}
