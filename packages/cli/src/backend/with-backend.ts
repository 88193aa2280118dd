import { findServer, type ServerFlags } from '../api-server/find-server.ts';
import { withServer } from '../api-server/with-server.ts';
import { CliError } from '../cli-error.ts';
import { withCluster } from '../cluster-connection.ts';
import type { Environment } from '../environment.ts';
import { runningAt } from '../find-cluster.ts';
import type { Backend } from './backend.ts';
import { ClusterBackend } from './cluster-backend.ts';
import { ServerBackend } from './server/server-backend.ts';

/** The flags that choose a cluster or a server. */
export interface BackendFlags extends ServerFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly 'data-dir'?: string;
}

export interface BackendCall {
  readonly flags: BackendFlags;
  readonly environment: Environment;
}

/** Calls `work` with the cluster or the server that a command uses. Their errors become a CliError. */
export async function withBackend<T>(call: BackendCall, work: (backend: Backend) => Promise<T>): Promise<T> {
  const access = serverFor(call);
  const { flags, environment } = call;
  if (!access) {
    const choice = { kubeconfig: flags.kubeconfig, context: flags.context, dataDir: flags['data-dir'] };
    return withCluster(choice, environment.processes, (client) => work(new ClusterBackend(client, environment)));
  }
  return withServer(access, (api) => work(new ServerBackend(api, environment)));
}

/**
 * The server of a command; undefined if it uses a cluster. First match: a flag; FAIRLEAD_SERVER or ARGOCD_SERVER; KUBECONFIG; a running
 * `fairlead up`; the current context of argocd; the default of kubectl.
 */
export function serverFor({ flags, environment }: BackendCall) {
  const cluster = ['kubeconfig', 'context', 'data-dir'] as const;
  const named = cluster.find((flag) => flags[flag] !== undefined);
  const server = flags.server !== undefined ? 'server' : flags['server-context'] !== undefined ? 'server-context' : '';
  if (named !== undefined && server !== '')
    throw new CliError(`--${named} names a cluster and --${server} an API server: use one of them`);
  if (named !== undefined) return undefined;
  if (server === '' && environment.server === undefined) {
    const { processes } = environment;
    if (processes['KUBECONFIG'] || runningAt(processes, process.cwd())) return undefined;
  }
  return findServer(flags, environment)?.access;
}
