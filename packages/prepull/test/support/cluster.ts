import {
  crdOf,
  kinds,
  type PrePullImage,
  type PrePullPolicy,
  prePullImageKind,
  prePullPolicyKind,
} from '@fairlead/api';
import { crdType, type JsonObject, jobType, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { type ApiClient, MetricsRegistry, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import { createPrepull } from '../../src/index.ts';
import type { Job } from '../../src/pull/pull-job.ts';
import type { PullLimits } from '../../src/pull/pull-limits.ts';

const type = (group: string, kind: string, plural: string, namespaced = true, version = 'v1'): ResourceType => ({
  group,
  version,
  kind,
  plural,
  namespaced,
});
export const types = {
  namespace: type('', 'Namespace', 'namespaces', false),
  node: type('', 'Node', 'nodes', false),
  secret: type('', 'Secret', 'secrets'),
  quota: type('', 'ResourceQuota', 'resourcequotas'),
  event: type('events.k8s.io', 'Event', 'events'),
  deployment: type('apps', 'Deployment', 'deployments'),
  statefulSet: type('apps', 'StatefulSet', 'statefulsets'),
  daemonSet: type('apps', 'DaemonSet', 'daemonsets'),
  cronJob: type('batch', 'CronJob', 'cronjobs'),
  registry: type('sim.fairlead.dev', 'Registry', 'registries', false, 'v1alpha1'),
};

export interface TestCluster {
  readonly cluster: EmbeddedCluster;
  readonly client: ApiClient;
  readonly metrics: MetricsRegistry;
  /** Stops the controllers like a crash: their memory is lost. */
  stop(): Promise<void>;
  start(limits?: PullLimits, jobNamespace?: string): void;
  close(): Promise<void>;
}

/** An embedded cluster whose clock runs twenty times as fast, with the pre-pull controllers. */
export async function startTestCluster(
  options: { nodes?: number; speed?: number; limits?: PullLimits; wrap?: (client: ApiClient) => ApiClient } = {},
): Promise<TestCluster> {
  const speed = options.speed ?? 20;
  const cluster = await startEmbeddedCluster({ nodes: options.nodes ?? 3, speed, seed: 1, nodeEvents: false });
  const client = cluster.client('test');
  for (const kind of kinds) await client.create(crdType, crdOf(kind));
  await until('the kinds are served', () =>
    client.list(prePullImageKind.type).then(
      () => true,
      () => false,
    ),
  );
  // The controllers use the clock of the simulated cluster.
  const { now } = systemClock;
  const began = now();
  const clock = {
    now: () => began + (now() - began) * speed,
    after: (ms: number, run: () => void) => systemClock.after(ms / speed, run),
  };
  let running: { abort: AbortController; ended: Promise<void> } | undefined;
  const env = {
    cluster,
    client,
    metrics: new MetricsRegistry(),
    start(limits: PullLimits = options.limits ?? { cluster: 50, node: 2 }, jobNamespace?: string) {
      env.metrics = new MetricsRegistry();
      const prepull = createPrepull({
        client: (options.wrap ?? ((client) => client))(cluster.client('prepull')),
        limits,
        ...(jobNamespace === undefined ? {} : { jobNamespace }),
        registry: env.metrics,
        clock,
        random: systemRandom,
        log: silentLogger,
      });
      const abort = new AbortController();
      running = { abort, ended: prepull.run(abort.signal) };
    },
    async stop() {
      running?.abort.abort();
      await running?.ended.catch(() => {});
      running = undefined;
    },
    async close() {
      await env.stop();
      await cluster.close();
    },
  };
  env.start();
  return env;
}

export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  ms = 15_000,
  everyMs = 20,
): Promise<T> {
  // A machine that is busy with other tests takes longer; an idle one never reaches this timeout.
  const end = Date.now() + 4 * ms;
  for (;;) {
    const found = await check();
    if (found) return found as T;
    if (Date.now() > end) throw new Error(`waited ${ms / 1000}s until ${what}`);
    await sleep(systemClock, everyMs);
  }
}

export const image = (namespace: string, name: string, spec: JsonObject): PrePullImage =>
  ({
    apiVersion: 'kwarm.io/v1alpha1',
    kind: 'PrePullImage',
    metadata: { name, namespace },
    spec,
  }) as unknown as PrePullImage;

export const policy = (name: string, spec: JsonObject): PrePullPolicy =>
  ({ apiVersion: 'kwarm.io/v1alpha1', kind: 'PrePullPolicy', metadata: { name }, spec }) as unknown as PrePullPolicy;

export const deployment = (namespace: string, name: string, from: string, extra: JsonObject = {}): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { 'kwarm.io/enabled': 'true' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: from }], ...extra } },
    },
  }) as unknown as KubeObject;

export const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

export const registry = (name: string, spec: JsonObject): KubeObject =>
  ({ apiVersion: 'sim.fairlead.dev/v1alpha1', kind: 'Registry', metadata: { name }, spec }) as unknown as KubeObject;

export async function waitFor(
  client: ApiClient,
  ns: string,
  name: string,
  what: string,
  holds: (image: PrePullImage) => unknown,
): Promise<PrePullImage> {
  let last: PrePullImage | undefined;
  try {
    return await until(`${ns}/${name} ${what}`, async () => {
      last = await client.get<PrePullImage>(prePullImageKind.type, { namespace: ns, name });
      return holds(last) ? last : undefined;
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}; it is ${JSON.stringify(last?.status)}`);
  }
}

export const imagesIn = async (client: ApiClient, ns: string): Promise<readonly PrePullImage[]> =>
  (await client.list<PrePullImage>(prePullImageKind.type, { namespace: ns })).items;

export const jobsIn = async (client: ApiClient, ns: string): Promise<readonly Job[]> =>
  (await client.list<Job>(jobType, { namespace: ns })).items;

export { prePullImageKind, prePullPolicyKind };
