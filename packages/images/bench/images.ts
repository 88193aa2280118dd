/**
 * `npm run bench -- images`: 10,000 Applications over 500 images and 50 repositories, with a registry and a Git server on loopback. The
 * cluster is a list in memory, so that the updater is measured and not an API server.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Application } from '@fairlead/api';
import { type ApiClient, limits, MetricsRegistry, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { HttpSession } from '@fairlead/source/oci';
import { startGitHttp } from '@fairlead/source/testing';
import type { Bench, Figure } from '../../../scripts/bench.ts';
import { dockerHub, RegistryEndpoints } from '../src/config/registry-endpoints.ts';
import { startDemoRegistry } from '../src/demo-registry/demo-registry.ts';
import { GitWriter } from '../src/git/git-writer.ts';
import { WriteRepositories } from '../src/git/write-repository.ts';
import { httpRegistries } from '../src/registry/http-registry.ts';
import { ImageRegistries } from '../src/registry/image-registries.ts';
import { Runtime } from '../src/run/runtime.ts';
import { SharedTimeout } from '../src/run/shared-timeout.ts';
import { SlowRegistries } from '../src/run/slow-registries.ts';
import { type UpdateEnv, updateApplication } from '../src/run/update-application.ts';
import { defaultCommitTemplate, Template } from '../src/write-back/templates.ts';

const registryName = 'registry.example.com';
const repositories = 50;
const images = 500;
const applications = 10_000;
const changed = 90;
const tagsPerImage = 50;
const prefix = 'argocd-image-updater.argoproj.io';

const folderOf = (i: number): string => `apps/app${i}`;
/** The first applications of the first repository share an image, as those of one service do. */
const imageOf = (i: number): string =>
  i % repositories === 0 && i / repositories < changed ? 'shared' : `image${i % images}`;

const kustomization = (i: number): string =>
  `resources:\n- deployment.yaml\n\nimages:\n- name: ${registryName}/${imageOf(i)}\n  newTag: 1.${tagsPerImage - 1}.0\n`;

function applicationAt(i: number, server: string): Application {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: `app${i}`,
      namespace: 'argocd',
      uid: `uid-${i}`,
      annotations: {
        [`${prefix}/image-list`]: `web=${registryName}/${imageOf(i)}:^1`,
        [`${prefix}/write-back-method`]: 'git',
        [`${prefix}/write-back-target`]: 'kustomization',
      },
    },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc' },
      source: { repoURL: `${server}/repo${i % repositories}.git`, path: folderOf(i), targetRevision: 'main' },
    },
    status: { sourceType: 'Kustomize', summary: { images: [`${registryName}/${imageOf(i)}:1.${tagsPerImage - 1}.0`] } },
  } as unknown as Application;
}

function makeRepositories(root: string): void {
  for (let r = 0; r < repositories; r++) {
    const path = join(root, `repo${r}.git`);
    mkdirSync(path, { recursive: true });
    const git = (args: string[], input?: string): void =>
      void execFileSync('git', args, {
        cwd: path,
        stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore'],
        ...(input === undefined ? {} : { input }),
      });
    git(['init', '-q', '--bare', '-b', 'main']);
    git(['config', 'http.receivepack', 'true']);
    const files: string[] = [];
    for (let i = r; i < applications; i += repositories) {
      const text = kustomization(i);
      files.push(`M 100644 inline ${folderOf(i)}/kustomization.yaml\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    }
    git(
      ['fast-import', '--quiet'],
      `commit refs/heads/main\ncommitter A <a@example.com> 1 +0000\ndata 5\nfirst\n${files.join('')}\n`,
    );
  }
}

const config = Buffer.from(JSON.stringify({ os: 'linux', architecture: 'amd64', created: '2030-01-01T00:00:00Z' }));

async function open(dir: string) {
  const registry = await startDemoRegistry();
  const digest = registry.content.putBlob(config);
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest, size: config.length },
      layers: [],
    }),
  );
  const push = (repository: string, tag: string): void =>
    void registry.content.putManifest(repository, tag, {
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      bytes: manifest,
    });
  for (const name of new Set(Array.from({ length: applications }, (_, i) => imageOf(i))))
    for (let t = 0; t < tagsPerImage; t++) push(name, `1.${t}.0`);
  const served = join(dir, 'served');
  makeRepositories(served);
  const git = await startGitHttp({ root: served });
  mkdirSync(join(dir, 'mirrors'));
  const http = new HttpSession({ clock: systemClock, environment: {}, random: systemRandom });
  let tagRequests = 0;
  const openRegistry = httpRegistries({ http, clock: systemClock });
  const registries = new ImageRegistries({
    endpoints: new RegistryEndpoints([
      dockerHub,
      {
        ...dockerHub,
        prefix: registryName,
        name: 'bench',
        apiUrl: registry.url,
        defaultNamespace: '',
        limit: 0,
        isDefault: false,
      },
    ]),
    credentials: { secret: undefined, environment: {}, runScript: async () => '' },
    policy: { allowProcessSources: false },
    clock: systemClock,
    open(endpoint, login) {
      const client = openRegistry(endpoint, login);
      return {
        ...client,
        tags(repository, etag) {
          tagRequests++;
          return client.tags(repository, etag);
        },
      };
    },
  });
  const stores = new WriteRepositories({ dir: join(dir, 'mirrors'), clock: systemClock, environment: process.env });
  const writer = new GitWriter({
    repositories: stores,
    clock: systemClock,
    random: systemRandom,
    windowMs: 2_000,
    identity: { name: 'bench', email: 'bench@example.com' },
  });
  const noApi = {
    get: () => Promise.reject(new Error('no cluster')),
    patch: () => Promise.reject(new Error('no cluster')),
  } as unknown as ApiClient;
  const commitTemplate = new Template(defaultCommitTemplate, 'commit message');
  let list = Array.from({ length: applications }, (_, i) => applicationAt(i, git.url));
  const env: UpdateEnv = {
    deadline: new SharedTimeout(systemClock, limits.imageUpdateMs),
    registries,
    slowRegistries: new SlowRegistries(systemClock),
    client: noApi,
    writer,
    forges: { http, tokens: { usable: async (_, credentials) => credentials } },
    secret: async () => undefined,
    repositoryProblem: () => undefined,
    repositoryCredentials: () => undefined,
    commitTemplate,
    dryRun: false,
  };
  const runtime = new Runtime(
    {
      clock: systemClock,
      log: silentLogger,
      metrics: new MetricsRegistry(),
      applications: () => list,
      updaters: () => [],
      update: (entry, notBefore, onWaiting, signal) => updateApplication(env, entry, notBefore, onWaiting, signal),
      warmUp: async () => {},
      invalidate: (event) => registries.invalidate(event),
      prune: (before) => registries.prune(before),
      report: async () => {},
    },
    { warmUp: false },
  );
  return {
    runtime,
    push,
    served,
    /** Only this many images, and none that is in progress. */
    keepImages(count: number) {
      list = list.filter((_, i) => imageOf(i) !== 'shared' && i % images < count);
      return list.length;
    },
    takeTagRequests() {
      const count = tagRequests;
      tagRequests = 0;
      return count;
    },
    async close() {
      stores.close();
      await http.close();
      await git.close();
      await registry.close();
    },
  };
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

export const bench: Bench = async function* () {
  const dir = mkdtempSync(join(tmpdir(), 'images-bench-'));
  const env = await open(dir);
  try {
    yield* cycles(env);
    yield* oneCommit(env);
    yield* growth(env);
  } finally {
    await env.close();
    rmSync(dir, { recursive: true, force: true });
  }
};

type BenchEnv = Awaited<ReturnType<typeof open>>;

async function* cycles({ runtime, takeTagRequests }: BenchEnv): AsyncGenerator<Figure> {
  const different = new Set(Array.from({ length: applications }, (_, i) => imageOf(i))).size;
  const first = performance.now();
  await runtime.cycle();
  yield {
    name: 'first cycle',
    value: seconds(first),
    unit: 's',
    note: `${applications} applications, ${different} images, ${repositories} repositories`,
  };
  takeTagRequests();
  const again = performance.now();
  const results = await runtime.cycle();
  yield { name: 'cycle without a change', value: seconds(again), unit: 's', atMost: 10 };
  yield { name: 'tag requests per image and cycle', value: takeTagRequests() / different, unit: '', atMost: 1 };
  yield { name: 'applications checked in a cycle', value: results.length, unit: '', atLeast: applications };
  yield {
    name: 'errors in a cycle',
    value: results.reduce((sum, { report }) => sum + report.problems.length, 0),
    unit: '',
    atMost: 0,
  };
}

async function* oneCommit({ runtime, push, served }: BenchEnv): AsyncGenerator<Figure> {
  const repository = join(served, 'repo0.git');
  const commits = (): number =>
    Number(execFileSync('git', ['rev-list', '--count', 'main'], { cwd: repository, encoding: 'utf8' }));
  const before = commits();
  const appeared = performance.now();
  push('shared', `1.${tagsPerImage}.0`);
  const results = await runtime.notify([
    { registry: registryName, repository: 'shared', tag: `1.${tagsPerImage}.0`, digest: '' },
  ]);
  yield {
    name: `${changed} applications changed: after the tag appeared, all is pushed`,
    value: seconds(appeared),
    unit: 's',
    atMost: 5,
    note: 'triggered by a webhook; users of the original report 7 to 15 minutes',
  };
  yield {
    name: 'applications updated',
    value: results.filter(({ report }) => report.updated.length > 0).length,
    unit: '',
    atLeast: changed,
  };
  yield { name: 'commits for them', value: commits() - before, unit: '', atMost: 1 };
}

async function* growth(env: BenchEnv): AsyncGenerator<Figure> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const kept = env.keepImages(100);
  const measure = (): { heap: number; sockets: number } => {
    collect();
    return { heap: process.memoryUsage().heapUsed / 1e6, sockets: sockets() };
  };
  for (let i = 0; i < 5; i++) await env.runtime.cycle();
  const before = measure();
  const since = performance.now();
  for (let i = 0; i < 100; i++) await env.runtime.cycle();
  const after = measure();
  yield { name: `100 cycles of ${kept} applications`, value: seconds(since), unit: 's' };
  yield { name: 'heap grown over 100 cycles', value: Math.max(0, after.heap - before.heap), unit: 'MB', atMost: 5 };
  yield {
    name: 'sockets more after 100 cycles',
    value: Math.max(0, after.sockets - before.sockets),
    unit: '',
    atMost: 0,
  };
}
