import {
  formatMicroTime,
  isAlreadyExists,
  type KubeObject,
  leaseType,
  type Node,
  nodeType,
  podType,
  textAt,
} from '@fairlead/apimachinery';
import { type ApiClient, type Clock, InformerFactory, type Logger, type Random, silentLogger } from '@fairlead/kube';
import { createEventWriter } from '../controllers/event-writer.ts';
import { type Fault, strikingFault } from './fault.ts';
import { ImageStore } from './image-store.ts';
import { Kubelet } from './kubelet.ts';
import { type NodeShape, nodeLabels, nodeObject, nodeStatus } from './node-object.ts';
import type { Pod } from './pod.ts';
import { type Registries, type RegistryModel, simulatedRegistries } from './registry-model.ts';
import { faultType, registryType } from './sim-kinds.ts';

export interface FleetOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  /** The initial nodes; more can be added later, and any Node object labelled as simulated is run. */
  readonly nodes: readonly NodeShape[];
  readonly registries?: Registries;
  /** Concurrent pulls on one node. */
  readonly parallelPulls?: number;
  /** Off for very large fleets: five events per pod are most of the writes. */
  readonly events?: boolean;
  /** Whether containers start without their image, and pass their probes without the initial delay. */
  readonly readyAtOnce?: boolean;
  readonly log?: Logger;
}

interface SimNode {
  readonly shape: NodeShape;
  readonly kubelet: Kubelet;
  readonly images: ImageStore;
  down: boolean;
  imagesDirty: boolean;
}

const leaseEveryMs = 10_000;
const statusEveryMs = 300_000;
const simulated = 'sim.fairlead.dev/node';

export interface Fleet {
  addNode(shape: NodeShape): Promise<void>;
  images(node: string): ImageStore | undefined;
  log(namespace: string, name: string, query: URLSearchParams): string;
  stop(): Promise<void>;
}

/** Simulated nodes: they register, renew their leases, run the pods that are bound to them, and report their images. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { client, clock, random } = options;
  const stopping = new AbortController();
  const informers = new InformerFactory(client, { clock, random });
  const pods = informers
    .informer<Pod>(podType)
    .addIndex('node', (pod) => (pod.spec.nodeName ? [pod.spec.nodeName] : []));
  const faults = informers.informer<Fault>(faultType);
  const models = informers.informer<KubeObject & { spec: RegistryModel }>(registryType);
  const registries = options.registries ?? simulatedRegistries(() => models.list().map(({ spec }) => spec));
  const nodes = new Map<string, SimNode>();
  const log = options.log ?? silentLogger;
  /** Failures caused by the shutdown are not reported. */
  const report = (message: string, error: unknown) => {
    if (!stopping.signal.aborted) log.warn(message, { error });
  };
  const strike = (
    kind: Parameters<typeof strikingFault>[1],
    target: { namespace?: string; labels?: Record<string, string> },
  ) => strikingFault(faults.list(), kind, target, clock.now(), random);
  const targetOf = ({ metadata }: KubeObject) => ({
    ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    ...(metadata.labels ? { labels: metadata.labels } : {}),
  });

  let address = 0;
  const emit = (node: string) => {
    const write = createEventWriter(client, clock, log, { component: 'kubelet', host: node });
    return (pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string, container?: string) => {
      if (options.events !== false)
        write.about(pod, container ? `spec.containers{${container}}` : undefined, type, reason, message);
    };
  };

  const addNode = async (shape: NodeShape): Promise<void> => {
    const images = new ImageStore(registries, clock, {
      ...(options.parallelPulls ? { parallel: options.parallelPulls } : {}),
      slowness: () => strike('slow-pull', { labels: nodeLabels(shape) })?.spec.factor ?? 1,
    });
    const kubelet = new Kubelet({
      client,
      clock,
      images,
      node: { name: shape.name, hostIP: shape.address },
      allocateIP: () => ipAt(++address),
      event: emit(shape.name),
      crashes: (pod) => strike('crash-loop', targetOf(pod)) !== undefined,
      neverReady: (pod) => strike('never-ready', targetOf(pod)) !== undefined,
      readyAtOnce: options.readyAtOnce ?? false,
      problem: report,
    });
    const node: SimNode = { shape, kubelet, images, down: false, imagesDirty: false };
    images.onChange = () => {
      if (node.imagesDirty) return;
      node.imagesDirty = true;
      clock.after(200, () => {
        node.imagesDirty = false;
        if (stopping.signal.aborted) return;
        void writeStatus(node).catch((error: unknown) =>
          report(`the images of node ${shape.name} could not be written`, error),
        );
      });
    };
    nodes.set(shape.name, node);
    await register(node);
    for (const pod of pods.byIndex('node', shape.name)) kubelet.seen(pod);
  };

  const register = async (node: SimNode): Promise<void> => {
    try {
      await client.create(nodeType, nodeObject(node.shape));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      restoreImages(node, await client.get(nodeType, { name: node.shape.name }));
    }
    await writeStatus(node);
    await client.patch(nodeType, { name: node.shape.name }, 'merge', { spec: { taints: null } });
  };

  const restoreImages = (node: SimNode, object: Node): void => {
    const kept = (object.status?.images ?? []).flatMap(({ names = [], sizeBytes = 0 }) => {
      const [digested = '', name = ''] = names;
      return name
        ? [{ name, digest: digested.slice(digested.indexOf('@') + 1), sizeBytes, lastUsed: clock.now() }]
        : [];
    });
    node.images.restore(kept);
  };

  const writeStatus = async (node: SimNode): Promise<void> => {
    const { name } = node.shape;
    const before = await client.get<Node>(nodeType, { name });
    const status = nodeStatus(node.shape, node.images.list(), clock.now(), !node.down, before.status);
    await client.patch(nodeType, { name }, 'merge', { status }, { subresource: 'status' });
  };

  const renewLease = async (node: SimNode): Promise<void> => {
    const key = { namespace: 'kube-node-lease', name: node.shape.name };
    const spec = {
      holderIdentity: node.shape.name,
      leaseDurationSeconds: 40,
      renewTime: formatMicroTime(clock.now()),
    };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec };
    await client.patch(leaseType, key, 'apply', lease, { fieldManager: 'kubelet', force: true });
  };

  /** One iteration over all nodes: faults that stop a node, leases, and occasionally the whole status. */
  let rounds = 0;
  const beat = async (): Promise<void> => {
    rounds += 1;
    for (const node of nodes.values()) {
      const down = strike('node-down', { labels: nodeLabels(node.shape) }) !== undefined;
      const changed = down !== node.down;
      node.down = down;
      if (changed) node.kubelet.down = down;
      try {
        if (!down) await renewLease(node);
        if (changed || (!down && rounds % Math.round(statusEveryMs / leaseEveryMs) === 0)) await writeStatus(node);
      } catch (error) {
        report(`the heartbeat of node ${node.shape.name} failed`, error);
      }
    }
  };
  let cancelBeat = () => {};
  const schedule = () => {
    cancelBeat = clock.after(leaseEveryMs, () => void beat().finally(() => !stopping.signal.aborted && schedule()));
  };

  pods.addHandler({
    onAdd: (pod) => nodes.get(pod.spec.nodeName ?? '')?.kubelet.seen(pod),
    onUpdate: (_, pod) => nodes.get(pod.spec.nodeName ?? '')?.kubelet.seen(pod),
    onDelete: (pod) => nodes.get(pod.spec.nodeName ?? '')?.kubelet.gone(pod),
  });
  informers.informer(nodeType, { labelSelector: simulated }).addHandler({
    onAdd: (node) => {
      const { name, labels } = node.metadata;
      if (nodes.has(name)) return;
      void addNode({ name, address: hostAt(nodes.size + 1), ...(labels ? { labels } : {}) }).catch((error: unknown) =>
        report(`node ${name} could not be served`, error),
      );
    },
    onDelete: ({ metadata }) => {
      nodes.get(metadata.name)?.kubelet.stop();
      nodes.delete(metadata.name);
    },
  });
  informers.start(stopping.signal);
  await informers.waitForSync(stopping.signal);
  for (const shape of options.nodes) if (!nodes.has(shape.name)) await addNode(shape);
  await beat();
  schedule();

  return {
    addNode,
    images: (node) => nodes.get(node)?.images,
    log: (namespace, name, query) => syntheticLog(pods.get(`${namespace}/${name}`), query, clock.now()),
    async stop() {
      stopping.abort();
      cancelBeat();
      // Otherwise a kubelet that could not write keeps retrying, and the process does not exit.
      for (const { kubelet } of nodes.values()) kubelet.stop();
      await informers.stopped();
    },
  };
}

const ipAt = (index: number): string => `10.${244 + ((index >> 16) % 8)}.${(index >> 8) & 255}.${index & 255}`;
export const hostAt = (index: number): string => `192.168.${(index >> 8) & 255}.${index & 255}`;

/** No program runs, so the log contains only this message. */
function syntheticLog(pod: Pod | undefined, query: URLSearchParams, now: number): string {
  if (!pod) return '';
  const containerName = query.get('container') ?? pod.spec.containers[0]?.name;
  const status = pod.status?.containerStatuses?.find(({ name }) => name === containerName);
  const started = textAt(status, 'state', 'running', 'startedAt');
  const stamp = query.get('timestamps') === 'true' ? `${new Date(now).toISOString()} ` : '';
  const lines = [
    `[synthetic] container ${containerName} of pod ${pod.metadata.namespace}/${pod.metadata.name} is simulated; no program runs and this is all it says`,
    ...(started ? [`[synthetic] started at ${started}`] : []),
  ];
  const tail = query.get('tailLines');
  const kept = tail !== null ? lines.slice(Math.max(0, lines.length - Number(tail))) : lines;
  return kept.map((line) => `${stamp}${line}\n`).join('');
}
