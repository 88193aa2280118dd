import { readFileSync } from 'node:fs';
import { startEmbeddedCluster } from '../src/index.ts';

/** The cluster that end-to-end suites run on: the embedded one, or the one that `npm run e2e -- --kubeconfig FILE` names. */
export interface TargetCluster {
  /** The text of a kubeconfig for this cluster. */
  readonly kubeconfig: string;
  readonly embedded: boolean;
  close(): Promise<void>;
}

export async function openTargetCluster(): Promise<TargetCluster> {
  const named = process.env['FAIRLEAD_E2E_KUBECONFIG'];
  if (named) return { kubeconfig: readFileSync(named, 'utf8'), embedded: false, close: async () => {} };
  const cluster = await startEmbeddedCluster();
  return { kubeconfig: cluster.kubeconfig(), embedded: true, close: () => cluster.close() };
}
