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

/** Calls `work` with the destination cluster: the Application's own cluster, or that of a cluster Secret. */
export async function withDestination<T>(
  client: HttpClient,
  application: Application,
  { processes }: Environment,
  work: (destination: Destination) => Promise<T>,
): Promise<T> {
  const { destination } = application.spec;
  if (isInCluster(destination)) return work({ name: inClusterName, server: inClusterServer, client });
  const home = application.status?.controllerNamespace ?? controlPlaneNamespace;
  const labelSelector = 'argocd.argoproj.io/secret-type=cluster';
  const { items } = await listAll<Secret>(client, secretType, { namespace: home, labelSelector });
  const found = items.map(readClusterSecret).find((one) => isDestination(destination, one));
  if (!found) throw new CliError(`${notFound(destination).problem}: fairlead get clusters lists the known clusters`);
  if (!found.config) throw new CliError(found.problem ?? `the cluster ${found.name} cannot be reached`);
  const connection = connectTo(found.config, { environment: processes, clock: systemClock, log: silentLogger });
  try {
    // Clusters of Secrets are connected over HTTP.
    return await work({ name: found.name, server: found.server, client: connection.client as HttpClient });
  } catch (error) {
    if (error instanceof TransportError)
      throw new CliError(`cluster ${found.name} at ${found.server} does not respond: ${error.message}`, {
        cause: error,
      });
    throw error;
  } finally {
    await connection.close();
  }
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
