import type { Application } from '@fairlead/api';
import { ApiError, type Secret, secretType } from '@fairlead/apimachinery';
import { connectTo, isDestination, notFound, readClusterSecret } from '@fairlead/app-controller';
import { statusTree, type TreeNode } from '@fairlead/app-controller/explain';
import { type HttpClient, listAll, silentLogger, systemClock, TransportError } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import type { Environment } from '../../environment.ts';
import { controlPlaneNamespace } from '../../install.ts';
import { inClusterName, inClusterServer, isInCluster } from './in-cluster.ts';
import { readTree } from './owner-tree.ts';

/** The cluster that an Application's objects are in. */
export interface Destination {
  readonly name: string;
  readonly server: string;
  readonly client: HttpClient;
}

/** Opens the destination cluster: the Application's own cluster, or that of a cluster Secret. */
export async function openDestination(
  client: HttpClient,
  application: Application,
  { processes }: Environment,
): Promise<Destination & { close(): Promise<void> }> {
  const { destination } = application.spec;
  if (isInCluster(destination))
    return { name: inClusterName, server: inClusterServer, client, close: async () => undefined };
  const home = application.status?.controllerNamespace ?? controlPlaneNamespace;
  const labelSelector = 'argocd.argoproj.io/secret-type=cluster';
  const { items } = await listAll<Secret>(client, secretType, { namespace: home, labelSelector });
  const found = items.map(readClusterSecret).find((one) => isDestination(destination, one));
  if (!found)
    throw new CliError(`destination: ${notFound(destination).message}: fairlead get clusters lists the known clusters`);
  if (!found.config) throw new CliError(found.problem ?? `the cluster ${found.name} cannot be reached`);
  const connection = connectTo(found.config, { environment: processes, clock: systemClock, log: silentLogger });
  return {
    name: found.name,
    server: found.server,
    // Clusters of Secrets are connected over HTTP.
    client: connection.client as HttpClient,
    close: () => connection.close(),
  };
}

/** Calls `work` with the destination cluster. */
export async function withDestination<T>(
  client: HttpClient,
  application: Application,
  environment: Environment,
  work: (destination: Destination) => Promise<T>,
): Promise<T> {
  const there = await openDestination(client, application, environment);
  try {
    return await work(there);
  } catch (error) {
    throw destinationError(error, application, there);
  } finally {
    await there.close();
  }
}

/** An error of a cluster that does not respond, if it is another than the Application's own. */
export function destinationError(error: unknown, { spec }: Application, { name, server }: Destination): unknown {
  if (!(error instanceof TransportError) || isInCluster(spec.destination)) return error;
  return new CliError(`cluster ${name} at ${server} does not respond: ${error.message}`, { cause: error });
}

/** The objects and their dependents; only the objects in status if their cluster is not reachable from here. */
export async function readTreeThere(
  client: HttpClient,
  application: Application,
  environment: Environment,
): Promise<TreeNode[]> {
  try {
    return await withDestination(client, application, environment, (there) => readTree(there.client, application));
  } catch (error) {
    const elsewhere = !isInCluster(application.spec.destination);
    if (elsewhere && (error instanceof CliError || error instanceof ApiError)) return statusTree(application);
    throw error;
  }
}
