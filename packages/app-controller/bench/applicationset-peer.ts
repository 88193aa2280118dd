import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApplicationSet, applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { configMapType, crdType, type KubeObject, namespaceType, secretType } from '@fairlead/apimachinery';
import { startControlPlane } from '@fairlead/control-plane';
import { type ApiClient, sleep, systemClock } from '@fairlead/kube';
import type { Figure } from '../../../scripts/bench.ts';

const namespace = 'argocd';
const refresh = 'argocd.argoproj.io/application-set-refresh';
const rounds = 5;
const ticksPerSecond = 100;
const fairlead = fileURLToPath(new URL('../../cli/bin/fairlead.js', import.meta.url));

/** The CPU time of an unchanged reconcile, of `fairlead applicationset` and of Argo CD's controller, each as a process on its own control plane. */
export async function* comparedWithArgoCd(argocd: string, count: number): AsyncGenerator<Figure> {
  const own = await reconcileCost(count, (kubeconfig, dir) =>
    spawn(process.execPath, [fairlead, 'applicationset', '--kubeconfig', kubeconfig, '--cache-dir', dir], {
      stdio: 'ignore',
    }),
  );
  yield { name: `a refresh of ${count} Applications without changes, CPU time`, value: own, unit: 'ms' };
  const addresses = ['--metrics-addr', '--probe-addr', '--webhook-addr'].flatMap((flag) => [flag, '127.0.0.1:0']);
  const theirs = await reconcileCost(count, (kubeconfig) =>
    spawn(argocd, ['--kubeconfig', kubeconfig, '--namespace', namespace, '--loglevel', 'error', ...addresses], {
      env: { ...process.env, ARGOCD_BINARY_NAME: 'argocd-applicationset-controller', KUBECONFIG: kubeconfig },
      stdio: 'ignore',
    }),
  );
  yield { name: 'the same of argocd-applicationset-controller', value: theirs, unit: 'ms' };
  yield { name: 'CPU time, Fairlead / Argo CD', value: own / theirs, unit: '' };
}

async function reconcileCost(count: number, start: (kubeconfig: string, dir: string) => ChildProcess): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  const plane = await startControlPlane({ token: 'bench', serviceAccountAdmission: false });
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, plane.kubeconfig(), { mode: 0o600 });
  const client = plane.client('bench');
  await prepare(client);
  const controller = start(kubeconfig, dir);
  try {
    const key = { namespace, name: 'fleet' };
    await client.create(applicationSetKind.type, matrixOf(count));
    const applications = async (): Promise<number> =>
      (await client.list(applicationKind.type, { namespace })).items.length;
    while ((await applications()) < count) await running(controller, 200);
    await untilIdle(controller);
    const before = cpuMs(controller);
    for (let round = 0; round < rounds; round++) {
      await client.patch(applicationSetKind.type, key, 'merge', { metadata: { annotations: { [refresh]: 'true' } } });
      const isAsked = async (): Promise<boolean> =>
        (await client.get<ApplicationSet>(applicationSetKind.type, key)).metadata.annotations?.[refresh] !== undefined;
      while (await isAsked()) await running(controller, 20);
      await untilIdle(controller);
    }
    return (cpuMs(controller) - before) / rounds;
  } finally {
    controller.kill('SIGKILL');
    await plane.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function running({ exitCode, signalCode }: ChildProcess, ms: number): Promise<void> {
  if (exitCode !== null || signalCode !== null) throw new Error(`the controller ended with ${exitCode ?? signalCode}`);
  await sleep(systemClock, ms);
}

/** Waits until a second passes in which the process does next to nothing. */
async function untilIdle(controller: ChildProcess): Promise<void> {
  for (;;) {
    const before = cpuMs(controller);
    await running(controller, 1_000);
    if (cpuMs(controller) - before <= 30) return;
  }
}

/** User and system time of a process. */
function cpuMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000;
}

async function prepare(client: ApiClient): Promise<void> {
  for (const kind of [applicationKind, applicationSetKind, appProjectKind]) await client.create(crdType, crdOf(kind));
  await sleep(systemClock, 100);
  const labels = { 'app.kubernetes.io/part-of': 'argocd' };
  const named = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { name, namespace, labels } });
  await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const name of ['argocd-cm', 'argocd-cmd-params-cm'])
    await client.create(configMapType, named('ConfigMap', name));
  const data = { 'server.secretkey': Buffer.from('secret').toString('base64') };
  await client.create<KubeObject & { data: object }>(secretType, { ...named('Secret', 'argocd-secret'), data });
  const project: KubeObject & { spec: object } = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  };
  await client.create(appProjectKind.type, project);
}

/** Lists only: a Git generator would measure the repo server of Argo CD too. */
const matrixOf = (count: number): ApplicationSet => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'fleet', namespace },
  spec: {
    goTemplate: true,
    generators: [
      {
        matrix: {
          generators: [
            { list: { elements: Array.from({ length: count / 10 }, (_, i) => ({ app: `app-${i}` })) } },
            { list: { elements: Array.from({ length: 10 }, (_, i) => ({ env: `env-${i}` })) } },
          ],
        },
      },
    ],
    template: {
      metadata: { name: '{{.app}}-{{.env}}', labels: { env: '{{.env | lower}}' } },
      spec: {
        project: 'default',
        source: { repoURL: 'https://git.example.com/apps.git', path: '{{.app}}', targetRevision: 'main' },
        destination: { server: 'https://kubernetes.default.svc', namespace: '{{.app}}' },
        syncPolicy: { automated: { prune: true } },
      },
    },
  },
});
