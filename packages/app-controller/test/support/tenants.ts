import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, type ApplicationSource, applicationKind, appProjectKind } from '@fairlead/api';
import { configMapType, namespaceType, secretType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { sleep, systemClock } from '@fairlead/kube';
import { controlPlaneNamespace, startController, startWorkers } from '../../conformance/harness/controller.ts';
import { install } from '../../conformance/harness/installation.ts';
import { Repository } from '../../conformance/harness/repository.ts';
import { openRealTarget } from '../../conformance/harness/target.ts';

/** An embedded cluster in real time with the application controller, real `git` and real renders, for several tenants. */
export interface Tenants {
  /** A project with a namespace of the same name, for all repositories unless it names some. */
  addProject(name: string, sourceRepos?: readonly string[]): Promise<void>;
  /** A repository with these files, by its URL. */
  addRepository(name: string, files: Readonly<Record<string, string>>): Promise<Repository>;
  /** An automated Application; `spec` is merged into its own. */
  addApplication(project: string, name: string, source: ApplicationSource, spec?: object): Promise<void>;
  /** Settings in `argocd-cm`. */
  configure(data: Readonly<Record<string, string>>): Promise<void>;
  removeApplication(name: string): Promise<void>;
  /** Registers another cluster by its address, with a token for it. */
  addCluster(name: string, server: string, token: string): Promise<void>;
  setRepository(name: string, repoURL: string): Promise<void>;
  application(name: string): Promise<Application>;
  /** How many sandboxes run renders now. */
  rendering(): number;
  /** How many sandboxes run jq or health scripts now. */
  scripts(): number;
  /** How long it takes from a commit until an automated Application has deployed it. `spec` is that of a new one. */
  deliveryMs(name: string, spec?: object): Promise<number>;
  close(): Promise<void>;
}

export async function startTenants(): Promise<Tenants> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-attack-'));
  const cluster = await startEmbeddedCluster({ nodes: 1, clock: systemClock, seed: 1, nodeEvents: false });
  writeFileSync(join(dir, 'kubeconfig'), cluster.kubeconfig(), { mode: 0o600 });
  const target = await openRealTarget(join(dir, 'kubeconfig'));
  await install(target);
  const workers = startWorkers();
  const controller = await startController(target, workers, dir);
  const { client } = target;
  const honest = new Map<string, { readonly repository: Repository; commits: number }>();

  const application = (name: string): Promise<Application> =>
    client.get<Application>(applicationKind.type, { namespace: controlPlaneNamespace, name });

  async function addProject(name: string, sourceRepos: readonly string[] = ['*']): Promise<void> {
    await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await client.create(appProjectKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name, namespace: controlPlaneNamespace },
      spec: { sourceRepos, destinations: [{ server: '*', namespace: name }] },
    });
  }

  async function addRepository(name: string, files: Readonly<Record<string, string>>): Promise<Repository> {
    const repository = new Repository(join(dir, 'repositories', name), {});
    await repository.push(0, files);
    return repository;
  }

  async function addApplication(
    project: string,
    name: string,
    source: ApplicationSource,
    spec: object = {},
  ): Promise<void> {
    await client.create(applicationKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: controlPlaneNamespace },
      spec: {
        project,
        source: source.chart ? source : { path: '.', ...source },
        destination: { server: 'https://kubernetes.default.svc', namespace: project },
        syncPolicy: { automated: { prune: true, selfHeal: true } },
        ...spec,
      },
    });
  }

  return {
    addProject,
    addRepository,
    addApplication,
    async removeApplication(name) {
      await client.delete(applicationKind.type, { namespace: controlPlaneNamespace, name });
    },
    async addCluster(name, server, token) {
      await client.create(secretType, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace: controlPlaneNamespace, labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
        stringData: {
          name,
          server,
          config: JSON.stringify({ bearerToken: token, tlsClientConfig: { insecure: true } }),
        },
      });
    },
    async setRepository(name, repoURL) {
      const patch = { spec: { source: { repoURL } } };
      await client.patch(applicationKind.type, { namespace: controlPlaneNamespace, name }, 'merge', patch);
    },
    async configure(data) {
      const key = { namespace: controlPlaneNamespace, name: 'argocd-cm' };
      await client.patch(configMapType, key, 'merge', { data });
    },
    application,
    rendering: () => workers.renders.active,
    scripts: () => workers.jq.active + workers.lua.active,
    async deliveryMs(name, spec) {
      let known = honest.get(name);
      if (!known) {
        await addProject(name);
        known = { repository: await addRepository(name, files(0)), commits: 0 };
        honest.set(name, known);
        await addApplication(name, name, { repoURL: known.repository.url }, spec);
        await until(async () => (await application(name)).status?.sync?.status === 'Synced');
      }
      known.commits += 1;
      const began = performance.now();
      await known.repository.push(known.commits, files(known.commits));
      const commit = known.repository.commits.get(known.commits);
      await until(async () => {
        const { sync } = (await application(name)).status ?? {};
        return sync?.status === 'Synced' && sync.revision === commit;
      });
      return performance.now() - began;
    },
    async close() {
      await controller.stop();
      await workers.close();
      await target.close();
      await cluster.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A chart, so that the delivery needs a render. */
const files = (n: number): Record<string, string> => ({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {n: "${n}"}\n`,
});

export async function until(condition: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `the condition was not met within ${timeoutMs} ms`);
    await sleep(systemClock, 20);
  }
}
