import type { KubeObject } from '@fairlead/kube';
import { type Cluster, within } from './cluster.ts';

type Pod = KubeObject & {
  spec: {
    nodeName?: string;
    schedulerName?: string;
    nodeSelector?: Record<string, string>;
    affinity?: {
      nodeAffinity?: {
        requiredDuringSchedulingIgnoredDuringExecution?: {
          nodeSelectorTerms: { matchFields?: { values: string[] }[] }[];
        };
      };
    };
    volumes?: { persistentVolumeClaim?: unknown }[];
  };
  status?: { conditions?: { type: string }[] };
};
type Node = KubeObject & { spec?: { taints?: unknown[]; unschedulable?: boolean } };

/** Gives pods a node as long as no real scheduler does. */
export async function bindPods(cluster: Cluster): Promise<void> {
  const [pods, nodes] = [await cluster.typeOf('Pod', 'v1'), await cluster.typeOf('Node', 'v1')];
  const podInformer = await cluster.informer(pods);
  const nodeInformer = await cluster.informer(nodes);
  const namespace = await cluster.freshNamespace('scheduler-probe');
  const probe = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'probe', namespace },
    spec: { containers: [{ name: 'c', image: 'a:1' }] },
  };
  await cluster.client.create(pods, probe as KubeObject);
  const scheduled = await within(3_000, () =>
    (podInformer.get(`${namespace}/probe`) as Pod | undefined)?.status?.conditions?.find(
      (c) => c.type === 'PodScheduled',
    ),
  );
  await cluster.client.delete(pods, probe.metadata, { gracePeriodSeconds: 0 });
  if (scheduled) return;
  let turn = 0;
  const bind = (pod: Pod) => {
    if (pod.spec.nodeName || pod.metadata.deletionTimestamp || pod.spec.schedulerName !== 'default-scheduler') return;
    if (pod.spec.volumes?.some((volume) => volume.persistentVolumeClaim)) return;
    const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    const named =
      required?.nodeSelectorTerms.flatMap((term) => term.matchFields?.flatMap((field) => field.values) ?? []) ?? [];
    const fitting = (nodeInformer.list() as Node[]).filter((node) =>
      named.length > 0
        ? named.includes(node.metadata.name)
        : !node.spec?.taints?.length &&
          !node.spec?.unschedulable &&
          Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => node.metadata.labels?.[key] === value),
    );
    const node = fitting[turn++ % fitting.length];
    if (!node) return;
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: pod.metadata.name, namespace: pod.metadata.namespace! },
      target: { kind: 'Node', name: node.metadata.name },
    };
    void cluster.client.create(pods, binding as KubeObject, { subresource: 'binding' }).catch(() => {});
  };
  podInformer.addHandler({ onAdd: (pod) => bind(pod as Pod), onUpdate: (_, pod) => bind(pod as Pod) });
}
