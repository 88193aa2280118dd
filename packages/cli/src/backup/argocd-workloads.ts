import { deploymentType, find, type KubeObject, type ResourceType, statefulSetType } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, sleep } from '@fairlead/kube';

export interface Workload extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

/** The controllers of Argo CD that must not work while those of Fairlead do. Its API server and repo server only read. */
const controllers: readonly (readonly [ResourceType, string])[] = [
  [statefulSetType, 'argocd-application-controller'],
  [deploymentType, 'argocd-application-controller'],
  [deploymentType, 'argocd-applicationset-controller'],
  [deploymentType, 'argocd-notifications-controller'],
];

/** How many replicas a controller of Argo CD had before Fairlead took over. */
const replicasAnnotation = 'fairlead.dev/argocd-replicas';

export interface Found {
  readonly type: ResourceType;
  readonly workload: Workload;
}

export async function argocdControllers(client: ApiClient, namespace: string): Promise<Found[]> {
  const found = await Promise.all(
    controllers.map(async ([type, name]) => {
      const workload = await find(client.get<Workload>(type, { namespace, name }));
      return workload ? [{ type, workload }] : [];
    }),
  );
  return found.flat();
}

/** Stops the controllers of Argo CD, and remembers their replicas. Resolves once no pod is left. */
export async function stopControllers(
  client: ApiClient,
  found: readonly Found[],
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (const { type, workload } of found) {
    const replicas = workload.spec?.replicas ?? 1;
    if (replicas === 0) continue;
    const patch = { metadata: { annotations: { [replicasAnnotation]: String(replicas) } }, spec: { replicas: 0 } };
    await client.patch(type, keyOf(workload), 'merge', patch, { signal });
  }
  for (const { type, workload } of found) {
    while (((await find(client.get<Workload>(type, keyOf(workload), { signal })))?.status?.replicas ?? 0) > 0)
      await sleep(clock, 500, signal);
  }
}

/** Starts the controllers of Argo CD that Fairlead stopped, with the replicas that they had. */
export async function resumeControllers(client: ApiClient, namespace: string): Promise<Workload[]> {
  const resumed: Workload[] = [];
  for (const { type, workload } of await argocdControllers(client, namespace)) {
    const replicas = Number(workload.metadata.annotations?.[replicasAnnotation] ?? 0);
    if (replicas === 0) continue;
    const patch = { metadata: { annotations: { [replicasAnnotation]: null } }, spec: { replicas } };
    await client.patch(type, keyOf(workload), 'merge', patch);
    resumed.push(workload);
  }
  return resumed;
}

const keyOf = ({ metadata: { namespace = '', name } }: Workload): { namespace: string; name: string } => ({
  namespace,
  name,
});
