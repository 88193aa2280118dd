import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Application, applicationKind } from '@fairlead/api';
import { isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import {
  type ImagesOptions,
  install,
  type RoleContext,
  type RunningImages,
  readEnvironment,
  roles,
} from '@fairlead/cli/roles';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { accessOf, HttpClient, MetricsRegistry, parseKubeconfig, silentLogger } from '@fairlead/kube';
import { freePort, untilListening } from '@fairlead/source/testing';
import { gitRepository } from './git-repository.ts';

type Updater = RunningImages & { close(): Promise<void> };

export const secretType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};
export const deploymentType: ResourceType = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
export const eventType: ResourceType = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
};

export const scratch = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'images-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Waits until a condition is true, and reports its last state otherwise. */
export async function until<T>(
  check: () => T | undefined | false | Promise<T | undefined | false>,
  what: () => unknown,
  withinMs = 40_000,
): Promise<T> {
  // A machine that is busy with other tests takes longer; an idle one never reaches this timeout.
  const end = Date.now() + 4 * withinMs;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${JSON.stringify(await what(), null, 1)}`);
    await wait(50);
  }
}

export interface RealRegistry {
  readonly host: string;
  readonly url: string;
  close(): Promise<void>;
}

/** Debian's docker-registry, with a password or notifications on request. */
export async function realRegistry(
  program: string,
  dir: string,
  options: { basic?: boolean; notify?: { url: string; secret: string } } = {},
): Promise<RealRegistry> {
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  writeFileSync(join(dir, 'htpasswd'), 'me:$2b$05$abcdefghijklmnopqrstuu.znb4r.2SiHQeF.pCKpDSFBaTOrRZqq\n');
  const auth = options.basic ? `auth:\n  htpasswd:\n    realm: test\n    path: ${join(dir, 'htpasswd')}\n` : '';
  const notify = options.notify
    ? `notifications:\n  endpoints:\n  - name: fairlead\n    url: ${options.notify.url}/webhook?type=distribution\n    headers:\n      Authorization: [Bearer ${options.notify.secret}]\n    timeout: 2s\n    threshold: 5\n    backoff: 1s\n`
    : '';
  writeFileSync(
    join(dir, 'config.yml'),
    `version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: ${join(dir, 'data')}\n  delete:\n    enabled: true\nhttp:\n  addr: 127.0.0.1:${port}\n${auth}${notify}`,
  );
  const child = spawn(program, ['serve', join(dir, 'config.yml')], { stdio: 'ignore' });
  let ended = false;
  const end = new Promise<void>((resolve) => {
    child.once('close', () => {
      ended = true;
      resolve();
    });
  });
  await untilListening(port, () => !ended);
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill();
      await end;
    },
  };
}

/** A proxy in front of a registry that counts requests, and injects faults. */
export async function proxyBefore(
  target: string,
  misbehave: (
    path: string,
    count: number,
  ) => { status: number; headers?: Record<string, string>; body?: string } | undefined,
  smallPages = false,
) {
  const requests: string[] = [];
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(`${request.method} ${path}`);
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const instead = misbehave(path, count);
    if (instead) {
      response.writeHead(instead.status, instead.headers).end(instead.body);
      return;
    }
    const url = new URL(path, target);
    if (smallPages && url.pathname.endsWith('/tags/list')) {
      // The registry of Debian sends all tags at once; others send pages.
      void twoTags(url).then(({ headers, body }) => response.writeHead(200, headers).end(body));
      return;
    }
    const forward = httpRequest(
      url,
      { method: request.method, headers: { ...request.headers, host: url.host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    forward.on('error', () => response.destroy());
    request.pipe(forward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function twoTags(url: URL): Promise<{ headers: Record<string, string>; body: string }> {
  const all = ((await (await fetch(`${url.origin}${url.pathname}`)).json()) as { tags: string[] }).tags.sort();
  const last = url.searchParams.get('last') ?? '';
  const tags = all.filter((tag) => tag > last).slice(0, 2);
  const more = tags.at(-1) !== undefined && tags.at(-1) !== all.at(-1);
  const link = more ? { link: `<${url.pathname}?last=${tags.at(-1)}&n=2>; rel="next"` } : {};
  return { headers: { 'content-type': 'application/json', ...link }, body: JSON.stringify({ tags }) };
}

export const kustomizeFiles = (folder: string, image: string, tag: string): Record<string, string> => ({
  [`${folder}/kustomization.yaml`]: `# kept\nresources:\n  - deployment.yaml\n\nimages:\n  - name: ${image}\n    newTag: ${tag} # the version\n`,
  [`${folder}/deployment.yaml`]: deployment(folder, image),
});

export const deployment = (name: string, image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 1
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
        - name: web
          image: ${image}
`;

export const helmFiles = (folder: string, image: string, tag: string): Record<string, string> => ({
  [`${folder}/Chart.yaml`]: `apiVersion: v2\nname: ${folder}\nversion: 1.0.0\n`,
  [`${folder}/values.yaml`]: `# values of ${folder}\nimage:\n  # where it comes from\n  repository: ${image}\n  tag: ${tag}\n\nreplicas: 1\n`,
  [`${folder}/templates/deployment.yaml`]: deployment(
    folder,
    '"{{ .Values.image.repository }}:{{ .Values.image.tag }}"',
  ),
});

const prefix = 'argocd-image-updater.argoproj.io';

/** A whole Fairlead in this process: cluster, controller, a Git server, and image updaters as a test needs them. */
export async function openUpdater(files: Record<string, string>, git: Parameters<typeof gitRepository>[1] = {}) {
  const folder = scratch();
  const place = await gitRepository(files, git);
  const cluster = await startEmbeddedCluster({ nodes: 1 });
  const client = new HttpClient((await accessOf(parseKubeconfig(cluster.kubeconfig(), 'kubeconfig'))).client);
  const stop = new AbortController();
  await install(client, { own: true, signal: stop.signal });
  const context = (): RoleContext => ({
    client,
    environment: readEnvironment(),
    registry: new MetricsRegistry(),
    log: silentLogger,
  });
  const controller = await roles.controller.start(
    { cacheDir: join(folder.path, 'cache'), allowLocalRepositories: true, pollMs: 500 },
    context(),
    stop.signal,
  );
  const updaters: Updater[] = [];
  const annotations = (fields: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}/${name}`, value]));
  const env = {
    client,
    place,
    folder,
    async application(name: string, fields: Record<string, string>, source: object = {}): Promise<void> {
      await client.create(applicationKind.type, {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name, namespace: 'argocd', annotations: annotations(fields) },
        spec: {
          project: 'default',
          source: { repoURL: place.url, path: name, targetRevision: 'main', ...source },
          destination: { server: 'https://kubernetes.default.svc', namespace: name },
          syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
        },
      } as unknown as KubeObject);
    },
    get: (name: string) => client.get<Application>(applicationKind.type, { namespace: 'argocd', name }),
    images: async (name: string): Promise<readonly string[]> => (await env.get(name)).status?.summary?.images ?? [],
    conditions: async (name: string): Promise<string[]> =>
      ((await env.get(name)).status?.conditions ?? []).map(({ type, message }) => `${type}: ${message}`),
    /** The image that the Deployment of an application runs. */
    async live(name: string): Promise<string | undefined> {
      const found = await client
        .get<
          KubeObject & {
            spec: { template: { spec: { containers: { image: string }[] } } };
            status?: { availableReplicas?: number };
          }
        >(deploymentType, { namespace: name, name })
        .catch((error: unknown) => {
          if (isNotFound(error)) return undefined;
          throw error;
        });
      return found?.status?.availableReplicas ? found.spec.template.spec.containers[0]?.image : undefined;
    },
    async synced(name: string, image: string): Promise<void> {
      await until(
        async () => (await env.live(name)) === image,
        async () => ({
          live: await env.live(name),
          status: (await env.get(name)).status?.conditions,
          sync: (await env.get(name)).status?.sync?.status,
        }),
      );
    },
    async updater(options: Partial<ImagesOptions> = {}): Promise<Updater> {
      const working = new AbortController();
      const running = await roles.images.start(
        {
          dir: join(folder.path, `images-${updaters.length}`),
          settings: { mode: 'continuous', intervalMs: 1_000, tickMs: 100 },
          registriesConf: '',
          allowLocalRepositories: false,
          allowProcessCredentials: false,
          dryRun: false,
          leaderElection: false,
          commit: { name: 'updater', email: 'updater@example.com', windowMs: 100 },
          ...options,
        },
        context(),
        AbortSignal.any([stop.signal, working.signal]),
      );
      const close = async (): Promise<void> => {
        working.abort();
        await running.stopped;
      };
      updaters.push({ ...running, close });
      return { ...running, close };
    },
    async close(): Promise<void> {
      stop.abort();
      for (const { stopped } of updaters) {
        await stopped.catch(() => {});
      }
      await controller.stopped;
      await client.close();
      await cluster.close();
      await place.close();
      folder.remove();
    },
  };
  return env;
}

export const registriesConf = (...hosts: readonly string[]): string =>
  `registries:\n${hosts.map((host) => `- name: ${host}\n  prefix: "${host}"\n  api_url: http://${host}\n`).join('')}`;

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
