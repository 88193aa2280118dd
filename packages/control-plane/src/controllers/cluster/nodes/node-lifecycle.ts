import { formatTime, leaseType, nodeType, podType } from '@fairlead/apimachinery';
import { type ApiClient, Controller, done, type Lease, requeueAfter } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import { forgiving } from '../forgiving.ts';
import { type Node, type Pod, podCondition } from '../objects.ts';
import { indexPodsByNode, podsOn } from '../pods-by-node.ts';
import { settling } from '../settling.ts';
import { Heartbeats, heartbeatGraceMs, silentConditions } from './node-health.ts';
import { ClusterSize, missingAliases, missingTtl } from './node-marks.ts';
import { nodeTaints, readiness } from './node-taints.ts';

/** Labels and taints nodes, and marks those whose kubelet no longer sends heartbeats. */
export const nodeLifecycle: MakeController = (parts) => {
  const { clock, informers } = parts;
  const client = parts.client('node-controller');
  const record = parts.events('node-controller');
  const nodes = informers.informer<Node>(nodeType);
  const leases = informers.informer<Lease>(leaseType, { namespace: 'kube-node-lease' });
  const pods = indexPodsByNode(informers.informer<Pod>(podType));
  const size = new ClusterSize();
  const heartbeats = new Heartbeats();
  const down = new Set<string>();

  const controller = new Controller({
    name: 'node-lifecycle',
    concurrency: 4,
    clock,
    log: parts.log,
    reconcile: settling(async (name) => {
      const node = nodes.get(name);
      if (!node) return done;
      if (await mark(node)) return done;
      const last = heartbeats.lastHeartbeat(name);
      if (last === undefined) return done;
      const wait = last + heartbeatGraceMs - clock.now();
      if (wait > 0) return requeueAfter(wait);
      await markUnreachable(node);
      return done;
    }),
  });

  /** Whether something was written; its event triggers the node again. */
  const mark = async (node: Node): Promise<boolean> => {
    const labels = missingAliases(node);
    const annotations = missingTtl(node, size);
    const allDown = down.size > 0 && down.size === nodes.size;
    const taints = nodeTaints(node, allDown, formatTime(clock.now()));
    if (Object.keys({ ...labels, ...annotations }).length === 0 && !taints) return false;
    const { resourceVersion } = node.metadata;
    const spec = taints ? { spec: { taints: taints.length > 0 ? taints : null } } : {};
    await forgiving(
      client.patch(nodeType, node.metadata, 'merge', { metadata: { resourceVersion, labels, annotations }, ...spec }),
    );
    return true;
  };

  const markUnreachable = async (node: Node): Promise<void> => {
    const wasReady = readiness(node) === 'True';
    if (readiness(node) === 'Unknown') return;
    const conditions = silentConditions(node, formatTime(clock.now()));
    await forgiving(
      client.patch(nodeType, node.metadata, 'merge', { status: { conditions } }, { subresource: 'status' }),
    );
    if (!wasReady) return;
    const { name } = node.metadata;
    record(node, 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
    for (const pod of podsOn(pods, name)) {
      if (!(await markNotReady(client, pod, formatTime(clock.now())))) continue;
      record(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
    }
  };

  /** Whether all nodes are down affects the decision for each of them. */
  const setDown = (node: Node): void => {
    const before = down.size === nodes.size;
    if (readiness(node) === 'False' || readiness(node) === 'Unknown') down.add(node.metadata.name);
    else down.delete(node.metadata.name);
    if ((down.size === nodes.size) !== before) for (const name of down) controller.enqueue(name);
  };
  const heartbeatOf = (node: Node) => node.status?.conditions?.find(({ type }) => type === 'Ready')?.lastHeartbeatTime;

  nodes.addHandler({
    onAdd: (node) => {
      const { name } = node.metadata;
      size.added();
      setDown(node);
      record(node, 'Normal', 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`);
    },
    onUpdate: (old, node) => {
      setDown(node);
      // Only a node with a Lease is known to have a kubelet that sends heartbeats.
      const known = heartbeats.lastHeartbeat(node.metadata.name) !== undefined;
      const beat = heartbeatOf(node);
      if (known && beat && beat !== heartbeatOf(old))
        heartbeats.record(node.metadata.name, `status ${beat}`, clock.now());
    },
    onDelete: (node) => {
      const { name } = node.metadata;
      size.removed();
      down.delete(name);
      heartbeats.forget(name);
      record(node, 'Normal', 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`);
    },
  });
  const recordLease = ({ metadata, spec }: Lease): void => {
    const first = heartbeats.lastHeartbeat(metadata.name) === undefined;
    heartbeats.record(metadata.name, `lease ${spec?.renewTime ?? ''}`, clock.now());
    if (first) controller.enqueue(metadata.name);
  };
  leases.addHandler({ onAdd: recordLease, onUpdate: (_old, lease) => recordLease(lease) });
  return controller.watch(nodes).watch(leases, () => []);
};

async function markNotReady(client: ApiClient, pod: Pod, now: string): Promise<boolean> {
  const before = podCondition(pod, 'Ready');
  if (before?.status !== 'True') return false;
  const condition = { ...before, status: 'False', lastTransitionTime: now };
  const body = { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } };
  const written = await forgiving(client.patch(podType, pod.metadata, 'strategic', body, { subresource: 'status' }));
  return written !== undefined;
}
