import type { HttpClient } from '@fairlead/kube';
import { withCluster } from '../../cluster-connection.ts';
import type { Environment } from '../../environment.ts';

interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly 'data-dir'?: string;
}

/** Calls `work` with the cluster that a command's flags name. */
export const onCluster = <T>(
  { flags, environment }: { readonly flags: ClusterFlags; readonly environment: Environment },
  work: (client: HttpClient) => Promise<T>,
): Promise<T> =>
  withCluster(
    { kubeconfig: flags.kubeconfig, context: flags.context, dataDir: flags['data-dir'] },
    environment.processes,
    work,
  );
