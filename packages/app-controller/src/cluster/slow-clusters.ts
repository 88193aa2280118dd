import { type ApiClient, type Clock, type ReconcileContext, untilAborted } from '@fairlead/kube';
import type { Cluster } from './cluster.ts';
import { patienceMs } from './cluster-requests.ts';
import { type Clusters, isClusterProblem } from './clusters.ts';

export type WaitFor = <T>(answer: Promise<T>) => Promise<T>;

/**
 * The clusters as used by one reconcile: it holds its worker while a cluster responds quickly, and releases it while it waits for a slow
 * one. `waitFor` waits without holding a worker. So 60 Applications of a cluster that hangs do not delay those of others.
 */
export function withoutHoldingWorkers(
  clusters: Clusters,
  { clock, signal, waitFor }: Pick<ReconcileContext, 'clock' | 'signal' | 'waitFor'>,
): Clusters {
  return {
    find(destination) {
      const cluster = clusters.find(destination);
      if (isClusterProblem(cluster)) return cluster;
      const during: WaitFor = async (answer) => {
        const inTime = untilAborted(answer, signal);
        return (await isQuick(cluster, clock, inTime)) ? inTime : waitFor(answer);
      };
      // The rest of a cluster changes while it is in use: it is not copied.
      const changes = {
        client: { value: clientWith(cluster.client, during) },
        clientAs: { value: (user: string) => clientWith(cluster.clientAs(user), during) },
        waitFor: { value: during },
      };
      return Object.create(cluster, changes) as Cluster;
    },
    onLiveChange: (listener) => clusters.onLiveChange(listener),
    onClusterChange: (listener) => clusters.onClusterChange(listener),
  };
}

/** False as soon as the cluster is slow and the response is missing. Other slow work is waited for. */
async function isQuick({ isSlow }: Cluster, clock: Clock, answer: Promise<unknown>): Promise<boolean> {
  if (!isSlow) return true;
  let answered = false;
  const settled = answer.then(
    () => (answered = true),
    () => (answered = true),
  );
  while (!isSlow()) {
    await new Promise<void>((resolve) => {
      const cancel = clock.after(patienceMs, resolve);
      void settled.then(() => {
        cancel();
        resolve();
      });
    });
    if (answered) return true;
  }
  return false;
}

const clientWith = (client: ApiClient, during: WaitFor): ApiClient => ({
  get: (...request) => during(client.get(...request)),
  list: (...request) => during(client.list(...request)),
  watch: (...request) => client.watch(...request),
  create: (...request) => during(client.create(...request)),
  replace: (...request) => during(client.replace(...request)),
  patch: (...request) => during(client.patch(...request)),
  delete: (...request) => during(client.delete(...request)),
  deleteCollection: (...request) => during(client.deleteCollection(...request)),
});
