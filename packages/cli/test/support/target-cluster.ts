import { readFileSync, writeFileSync } from 'node:fs';
import { startEmbeddedCluster } from '@fairlead/control-plane';

/**
 * Writes the kubeconfig of the cluster that a suite runs on: an embedded one, or the one that `npm run e2e -- --kubeconfig FILE` names.
 * Returns what stops an embedded one.
 */
export async function openTargetCluster(kubeconfig: string, nodes: number): Promise<() => Promise<void>> {
  const named = process.env['FAIRLEAD_E2E_KUBECONFIG'];
  if (named) {
    writeFileSync(kubeconfig, readFileSync(named), { mode: 0o600 });
    return async () => {};
  }
  const cluster = await startEmbeddedCluster({ nodes });
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  return () => cluster.close();
}
