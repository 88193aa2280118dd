import { startEmbeddedCluster } from '@fairlead/control-plane';
import { accessOf, HttpClient, parseKubeconfig } from '@fairlead/kube';
import { openRealTarget, type Target } from '../harness/target.ts';

/**
 * The cluster of a kubeconfig as the destination of Applications that live in an embedded control plane: an application that brings or
 * deletes Argo CD's own kinds does not disturb the controller.
 */
export async function openSplitTarget(kubeconfig: string): Promise<Target> {
  const [real, plane] = await Promise.all([openRealTarget(kubeconfig), startEmbeddedCluster({ nodes: 0 })]);
  const access = await accessOf(parseKubeconfig(plane.kubeconfig(), 'kubeconfig'));
  const client = new HttpClient(access.client);
  return {
    ...real,
    client,
    reader: client,
    destination: real.client,
    async close() {
      await client.close();
      await plane.close();
      await real.close();
    },
  };
}
