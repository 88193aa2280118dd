import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApplicationSet, applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { crdType, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import { startControlPlane } from '@fairlead/control-plane';
import { createJq } from '@fairlead/engine';
import { type ApiClient, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import { createSources } from '@fairlead/source';
import type { BenchOptions, Figure } from '../../../scripts/bench.ts';
import {
  ApplicationSetController,
  createForgeHttp,
  defaultApplicationSetSettings,
} from '../src/applicationset/index.ts';
import { reconcileSet } from '../src/applicationset/reconcile.ts';
import { comparedWithArgoCd } from './applicationset-peer.ts';

const namespace = 'argocd';
const rounds = 5;

/**
 * What an ApplicationSet with many Applications costs. `npm run bench -- applicationset [APPLICATIONS]`, 10000 when not given. With
 * `--argocd FILE`, Argo CD's controller is measured in addition, with at most 1,000 Applications.
 */
export async function* bench(args: readonly string[], { argocd }: BenchOptions): AsyncGenerator<Figure> {
  const count = Number(args.find((arg) => /^\d+$/u.test(arg)) ?? 10_000);
  yield* measured(count);
  if (argocd !== undefined) yield* comparedWithArgoCd(argocd, Math.min(count, 1_000));
}

async function* measured(count: number): AsyncGenerator<Figure> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  const plane = await startControlPlane({ serviceAccountAdmission: false });
  const stop = new AbortController();
  const jq = createJq();
  const sources = createSources({
    cacheDir: join(dir, 'cache'),
    clock: systemClock,
    environment: process.env,
    pollMs: 120_000,
    allowLocal: true,
  });
  const forges = createForgeHttp({ clock: systemClock, environment: {} });
  const writes = new Map<string, number>();
  try {
    const client = plane.client('bench');
    await prepare(client);
    const repository = createRepository(dir, count);
    const controller = new ApplicationSetController({
      client: countingWrites(plane.client('applicationset-controller'), writes),
      sources,
      forges,
      jq,
      settings: () => defaultApplicationSetSettings,
      clock: systemClock,
      random: systemRandom,
      log: silentLogger,
    });
    const stopped = controller.run(stop.signal);
    const began = performance.now();
    const set = await client.create<ApplicationSet>(applicationSetKind.type, matrixOf(repository.path));
    const applications = async (): Promise<number> =>
      (await client.list(applicationKind.type, { namespace })).items.length;
    const rest = async (): Promise<void> => {
      await sleep(systemClock, 50);
      while (controller.pending > 0) await sleep(systemClock, 5);
    };
    while ((await applications()) < count) await sleep(systemClock, 200);
    await rest();
    const first = (performance.now() - began) / 1000;
    yield { name: `first reconcile of ${count} Applications`, value: first, unit: 's' };

    writes.clear();
    const times: number[] = [];
    const cpu = process.cpuUsage();
    for (let i = 0; i < rounds; i++) {
      const live = await client.get<ApplicationSet>(applicationSetKind.type, { namespace, name: set.metadata.name });
      const from = performance.now();
      await reconcileSet(controller.env, live);
      times.push(performance.now() - from);
    }
    const { user, system } = process.cpuUsage(cpu);
    const median = times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    yield {
      name: 'a reconcile without changes',
      value: median / 1000,
      unit: 's',
      atMost: 1,
      note: `the median of ${rounds}, ${((user + system) / 1000 / rounds).toFixed(0)} ms of processor time each`,
    };
    yield { name: 'the same: writes', value: total(writes), unit: '', atMost: 0 };

    await rest();
    writes.clear();
    repository.add('apps/new');
    const pushed = performance.now();
    const isThere = async (): Promise<boolean> =>
      client.get(applicationKind.type, { namespace, name: 'new-prod' }).then(
        () => true,
        () => false,
      );
    while (!(await isThere())) await sleep(systemClock, 5);
    yield {
      name: 'a new directory: time from the push to the Application',
      value: (performance.now() - pushed) / 1000,
      unit: 's',
      atMost: 2,
    };
    await rest();
    yield { name: 'the same: writes of Applications', value: writes.get('Application') ?? 0, unit: '', atMost: 1 };
    yield { name: 'the same: writes of the status', value: writes.get('ApplicationSet') ?? 0, unit: '', atMost: 1 };
    stop.abort();
    await stopped;
  } finally {
    stop.abort();
    sources.close();
    await forges.close();
    await jq.close();
    await plane.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

const total = (writes: ReadonlyMap<string, number>): number => [...writes.values()].reduce((sum, one) => sum + one, 0);

async function prepare(client: ApiClient): Promise<void> {
  for (const kind of [applicationKind, applicationSetKind, appProjectKind]) await client.create(crdType, crdOf(kind));
  await sleep(systemClock, 100);
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const project: KubeObject & { spec: object } = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: {},
  };
  await client.create(appProjectKind.type, project);
}

const matrixOf = (repoURL: string): ApplicationSet => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'fleet', namespace },
  spec: {
    goTemplate: true,
    goTemplateOptions: ['missingkey=error'],
    generators: [
      {
        matrix: {
          generators: [
            { git: { repoURL, revision: 'main', directories: [{ path: 'apps/*' }] } },
            { list: { elements: [{ env: 'prod', region: 'eu' }] } },
          ],
        },
      },
    ],
    template: {
      metadata: { name: '{{.path.basename}}-{{.env}}', labels: { env: '{{.env}}', region: '{{.region | lower}}' } },
      spec: {
        project: 'default',
        source: { repoURL, path: '{{.path.path}}', targetRevision: 'main' },
        destination: { name: 'in-cluster', namespace: '{{.path.basename}}' },
        syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
      },
    },
  },
});

function createRepository(dir: string, count: number): { path: string; add(directory: string): void } {
  const path = join(dir, 'fleet.git');
  const work = join(dir, 'work');
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', work, '-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args], {
      stdio: 'pipe',
    });
  };
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', path]);
  execFileSync('git', ['init', '-q', '--initial-branch=main', work]);
  const put = (directory: string): void => {
    mkdirSync(join(work, directory), { recursive: true });
    writeFileSync(join(work, directory, 'kustomization.yaml'), `# ${directory}\n`);
  };
  for (let i = 0; i < count; i++) put(`apps/app-${String(i).padStart(5, '0')}`);
  const push = (): void => {
    git('add', '-A');
    git('commit', '-qm', 'change');
    git('push', '-q', path, 'HEAD:main');
  };
  push();
  return {
    path,
    add(directory) {
      put(directory);
      push();
    },
  };
}

/** Counts writes by kind. */
function countingWrites(client: ApiClient, writes: Map<string, number>): ApiClient {
  const count = (kind: string): void => void writes.set(kind, (writes.get(kind) ?? 0) + 1);
  return {
    ...client,
    create: (type, ...rest) => {
      count(type.kind);
      return client.create(type, ...rest);
    },
    patch: (type, ...rest) => {
      count(type.kind);
      return client.patch(type, ...rest);
    },
    delete: (type, ...rest) => {
      count(type.kind);
      return client.delete(type, ...rest);
    },
  };
}
