import { type PrePullImage, prePullImageKind } from '@fairlead/api';
import { jobType, type KubeObject, must, type Node, nodeType, podType } from '@fairlead/apimachinery';
import { InformerFactory, LeaderElector, MetricsRegistry, silentLogger, withoutManagedFields } from '@fairlead/kube';
import { ImageController, type Job, type PullLimits, prepullMetrics, pullOf, registryOf } from '@fairlead/prepull';
import { drawFaults } from '../fault-profile.ts';
import type { Scenario } from '../scenario.ts';
import { SimApiServer } from '../sim-api-server.ts';
import type { SimProcess } from '../sim-process.ts';
import type { SimEvent } from '../sim-store.ts';
import type { Simulation } from '../simulation.ts';

export interface LimitsOptions {
  readonly name: string;
  readonly nodes: number;
  readonly images: number;
  readonly limits: PullLimits;
  /** The limits of the controllers; equal to `limits` unless a test violates them deliberately. */
  readonly assumed?: PullLimits;
  readonly troubles: number;
  /** The percentage of failing pulls: one of these is drawn. */
  readonly failing?: readonly number[];
}

/** Few nodes, so that thousands of schedules take minutes. */
export const prepullLimits = (): Scenario =>
  limitsScenario({
    name: 'prepull-limits',
    nodes: 6,
    images: 4,
    limits: { cluster: 7, node: 2, registry: 4, tenant: 5 },
    troubles: 4,
  });

/** The full size: `npm run sim -- --scenario prepull-limits-large --seeds 1`. */
export const prepullLimitsLarge = (): Scenario =>
  limitsScenario({
    name: 'prepull-limits-large',
    nodes: 1000,
    images: 50,
    limits: { cluster: 300, node: 2, registry: 150, tenant: 150 },
    troubles: 40,
    failing: [10, 40],
  });

const registries = ['one.test', 'two.test', 'three.test'];
const tenants = ['red', 'green', 'blue'];
const lease = { namespace: 'system', name: 'prepull' };

/**
 * Replicas of the controller crash, hang and take over from each other while nodes pull images, with failures, through a server that loses
 * requests and responses. At no time do more Jobs run than a limit permits, and in the end every node has every image or has used up its
 * attempts.
 *
 * The server responds within its timeout here: no count could account for a request that timed out long ago and is executed under the next
 * leader.
 */
export const limitsScenario = (options: LimitsOptions): Scenario => ({
  name: options.name,
  async run(sim) {
    const faults = { ...drawFaults((items) => sim.pick(items)), slow: 0, staleList: 0 };
    const server = new SimApiServer(sim, faults);
    for (let i = 0; i < options.nodes; i++) server.store.create(nodeType, simNode(`node-${i}`));
    for (let i = 0; i < options.images; i++) server.store.create(prePullImageKind.type, simImage(sim, i));
    forget(sim, server);
    playNodes(sim, server, sim.pick(options.failing ?? [0, 10, 40]));
    const running = watchLimits(sim, server, options.limits);
    const replicas: SimProcess[] = [];
    const start = () => {
      const process = sim.process(`replica-${replicas.length + 1}`);
      replicas.push(process);
      startReplica(server, process, options.assumed ?? options.limits);
    };
    start();
    start();
    for (let i = 0; i < options.troubles; i++) {
      await sim.pass(sim.between(500, 20_000));
      const alive = replicas.filter(({ crashed }) => !crashed);
      const process = sim.pick(alive);
      if (sim.chance(0.3)) process.pause(sim.between(1_000, 30_000));
      else {
        process.crash();
        start();
      }
    }
    server.heal();
    const images = () => server.store.list<PrePullImage>(prePullImageKind.type);
    const finished = ({ status }: PrePullImage) => status?.phase === 'Completed' || status?.phase === 'Failed';
    const over = await everySecond(sim, () => running.size === 0 && images().every(finished), 6 * 3600);
    const open = images().find((image) => !finished(image));
    sim.check(
      over,
      `${open?.metadata.name} is ${JSON.stringify({ ...open?.status, nodeStatus: undefined })}; ${running.size} Jobs run`,
    );
    for (const { metadata, status } of images()) {
      const { total, completed, failed } = must(status?.summary, 'the summary');
      sim.check(
        total === options.nodes && completed + failed === total,
        `${metadata.name} ended with ${JSON.stringify(status?.summary)}`,
      );
      for (const node of (status?.nodeStatus ?? []).filter((node) => node.status === 'Failed'))
        sim.check(
          node.retryCount === 3 && Boolean(node.error),
          `${node.node} failed after ${node.retryCount} attempts`,
        );
    }
    await sim.pass(0);
  },
});

/** Statuses with many nodes are large, and a history of all of them would exhaust the memory. */
function forget(sim: Simulation, server: SimApiServer): void {
  sim.clock.after(20_000, () => {
    server.store.compact();
    forget(sim, server);
  });
}

const simNode = (name: string): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});

const simImage = (sim: Simulation, index: number): PrePullImage => ({
  apiVersion: 'kwarm.io/v1alpha1',
  kind: 'PrePullImage',
  metadata: { name: `image-${index}`, namespace: sim.pick(tenants) },
  spec: {
    image: `${sim.pick(registries)}/image:${index}`,
    retry: { maxAttempts: 3, backoffSeconds: 5 },
    completedTTL: '0',
  },
});

/** The Job controller and the kubelets: a Job gets a pod, which pulls, or fails, after a while. */
function playNodes(sim: Simulation, server: SimApiServer, failing: number): void {
  const { store } = server;
  store.onEvent(({ type, resource, object }: SimEvent) => {
    if (resource !== 'jobs.batch') return;
    const key = { namespace: object.metadata.namespace ?? '', name: `${object.metadata.name}-pod` };
    if (type === 'DELETED' && store.find(podType, key)) store.delete(podType, key);
    if (type !== 'ADDED') return;
    const still = () => store.find(jobType, object.metadata)?.metadata.uid === object.metadata.uid;
    sim.clock.after(sim.between(5, 200), () => {
      if (!still()) return;
      const containerStatuses = [{ name: 'pull', state: { waiting: { reason: 'ContainerCreating' } } }];
      const owner = { apiVersion: 'batch/v1', kind: 'Job', name: object.metadata.name, uid: object.metadata.uid ?? '' };
      const pod = store.create(podType, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...key, labels: { ...object.metadata.labels }, ownerReferences: [owner] },
        status: { phase: 'Pending', containerStatuses },
      } as KubeObject);
      sim.clock.after(sim.between(100, 4_000), () => {
        if (!still() || !store.find(podType, key)) return;
        const state = sim.chance(failing / 100)
          ? { waiting: { reason: 'ErrImagePull', message: 'not found' } }
          : { terminated: { reason: 'StartError', exitCode: 128 } };
        const status = { phase: 'Pending', containerStatuses: [{ name: 'pull', state }] };
        store.replace(podType, {
          ...pod,
          metadata: { ...pod.metadata, resourceVersion: undefined as never },
          status,
        } as KubeObject);
      });
    });
  });
}

const isOver = ({ metadata, status }: Job): boolean =>
  metadata.deletionTimestamp !== undefined || (status?.conditions ?? []).some(({ status: is }) => is === 'True');

/** Checking everything after every event would be too slow. */
async function everySecond(sim: Simulation, holds: () => boolean, seconds: number): Promise<boolean> {
  for (let i = 0; i < seconds; i++) {
    if (holds()) return true;
    await sim.pass(1000);
  }
  return holds();
}

/** Counts independently, event by event: it must not share a bug with the code under test. */
function watchLimits(sim: Simulation, server: SimApiServer, limits: PullLimits): ReadonlyMap<string, unknown> {
  const running = new Map<string, Record<'node' | 'registry' | 'tenant', string>>();
  const counts = new Map<string, number>();
  const add = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);
  server.store.onEvent(({ type, resource, object }: SimEvent) => {
    if (resource !== 'jobs.batch') return;
    const name = `${object.metadata.namespace}/${object.metadata.name}`;
    const runs = type !== 'DELETED' && !isOver(object as Job);
    const known = running.get(name);
    if (runs === (known !== undefined)) return;
    const { node, reference } = pullOf(object as Job);
    const place = known ?? { node, registry: registryOf(reference), tenant: object.metadata.namespace ?? '' };
    if (runs) running.set(name, place);
    else running.delete(name);
    const by = runs ? 1 : -1;
    add('cluster', by);
    for (const dimension of ['node', 'registry', 'tenant'] as const) {
      const key = `${dimension} ${place[dimension]}`;
      add(key, by);
      const limit = limits[dimension] ?? Infinity;
      sim.check(counts.get(key)! <= limit, `${counts.get(key)} pulls at once for ${key}, and ${limit} are allowed`);
    }
    sim.check(
      counts.get('cluster')! <= (limits.cluster ?? Infinity),
      `${counts.get('cluster')} pulls at once in the cluster`,
    );
  });
  return running;
}

function startReplica(server: SimApiServer, process: SimProcess, limits: PullLimits): void {
  const { clock, random } = process;
  const client = server.client(process);
  const elector = new LeaderElector(client, { lease, identity: process.name, clock, random });
  const lead = async (signal: AbortSignal): Promise<void> => {
    const informers = new InformerFactory(client, { clock, random, transform: withoutManagedFields });
    const metrics = prepullMetrics(new MetricsRegistry());
    const controller = new ImageController({
      client,
      informers,
      limits,
      isLeader: () => elector.isLeader,
      metrics,
      events: { record: () => {} },
      clock,
      log: silentLogger,
    });
    informers.start(signal);
    await controller.run(signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  };
  const again = async (): Promise<void> => {
    while (!process.crashed) await elector.run(new AbortController().signal, lead);
  };
  void again();
}
