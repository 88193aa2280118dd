import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { type ImagesOptions, install, readEnvironment, roles } from '@fairlead/cli/roles';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { accessOf, HttpClient, MetricsRegistry, parseKubeconfig, silentLogger } from '@fairlead/kube';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { pushImage, startDemoRegistry } from '../../src/demo-registry/index.ts';
import { registriesConf, scratch, until } from '../support/updater-setup.ts';

const hostile = 60;
const folder = scratch();
let cluster: EmbeddedCluster;
let client: HttpClient;
let registry: Awaited<ReturnType<typeof startDemoRegistry>>;
let pushed = 0;

/** Starts its response, and then sends a byte per second. */
const waiting = new Set<object>();
const slow = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  const drip = setInterval(() => response.write(' '), 1_000);
  waiting.add(response);
  response.on('close', () => {
    clearInterval(drip);
    waiting.delete(response);
  });
});
const hostOf = (url: string): string => new URL(url).host;
const slowHost = (): string => `127.0.0.1:${(slow.address() as AddressInfo).port}`;

before(async () => {
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  registry = await startDemoRegistry();
  cluster = await startEmbeddedCluster({ nodes: 0 });
  client = new HttpClient((await accessOf(parseKubeconfig(cluster.kubeconfig(), 'kubeconfig'))).client);
  await install(client, { own: true, signal: new AbortController().signal });
  await push();
  await addApplication('honest', `${hostOf(registry.url)}/web`);
});
after(async () => {
  await client.close();
  await cluster.close();
  await registry.close();
  slow.closeAllConnections();
  slow.close();
  folder.remove();
});

const push = () =>
  pushImage(registry.url, { repository: 'web', tag: `1.${pushed++}.0`, created: new Date() }).then(
    () => `1.${pushed - 1}.0`,
  );

const addApplication = (name: string, image: string) =>
  client.create(applicationKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: 'argocd',
      annotations: { 'argocd-image-updater.argoproj.io/image-list': `web=${image}:^1` },
    },
    spec: {
      project: name.replace(/-\d+$/u, ''),
      source: { repoURL: 'https://git.example.com/x', path: '.', kustomize: {} },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
    },
    status: { sourceType: 'Kustomize', summary: { images: [`${image}:1.0.0`] } },
  } as unknown as KubeObject);

/** The time from the push of an image until the Application has it. */
async function deliveryMs(): Promise<number> {
  const tag = await push();
  const began = performance.now();
  const images = async () => {
    const { spec } = await client.get<Application>(applicationKind.type, { namespace: 'argocd', name: 'honest' });
    return spec.source?.kustomize?.images ?? [];
  };
  await until(async () => (await images()).some((image) => image.endsWith(`:${tag}`)), images);
  return performance.now() - began;
}

const start = async (settings: ImagesOptions['settings']) => {
  const stop = new AbortController();
  const running = await roles.images.start(
    {
      dir: join(folder.path, `images-${settings.mode}`),
      settings: { intervalMs: 500, tickMs: 100, ...settings },
      registriesConf: registriesConf(hostOf(registry.url), slowHost()),
      allowLocalRepositories: false,
      allowProcessCredentials: false,
      dryRun: false,
      leaderElection: false,
      commit: { name: 'updater', email: 'updater@example.com', windowMs: 100 },
    },
    { client, environment: readEnvironment(), registry: new MetricsRegistry(), log: silentLogger },
    stop.signal,
  );
  return { stop, running };
};

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

for (const mode of ['cycle', 'continuous'] as const) {
  test(`${mode} mode: a registry that sends a byte per second delays neither other Applications nor the shutdown`, async () => {
    const { stop, running } = await start({ mode });
    const usual = [await deliveryMs(), await deliveryMs(), await deliveryMs()];
    const lag = measureEventLoopLag();
    for (let n = 0; n < hostile; n++) await addApplication(`${mode}-${n}`, `${slowHost()}/${mode}-${n}`);
    await until(
      () => waiting.size > 0,
      () => 'the slow registry was not queried',
    );
    const attacked = [await deliveryMs(), await deliveryMs(), await deliveryMs()];
    assert.ok(waiting.size > 0, 'the attack is still running');
    const limit = Math.max(2 * median(usual), 2_000);
    assert.ok(median(attacked) <= limit, `an image arrives after ${attacked} ms, before the attack after ${usual} ms`);
    const longest = lag.stop();
    assert.ok(longest <= 250, `the event loop was blocked for ${longest} ms`);

    const began = performance.now();
    stop.abort();
    await running.stopped;
    assert.ok(performance.now() - began < 5_000, `the process ends after ${performance.now() - began} ms`);
    for (let n = 0; n < hostile; n++)
      await client.delete(applicationKind.type, { namespace: 'argocd', name: `${mode}-${n}` });
  });
}
