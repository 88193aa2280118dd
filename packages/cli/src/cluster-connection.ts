import { ApiError, isForbidden, isUnauthorized, isUnknownKind } from '@fairlead/apimachinery';
import { type ClusterAccess, HttpClient, TransportError } from '@fairlead/kube';
import { CliError } from './cli-error.ts';
import { type ClusterChoice, findCluster } from './find-cluster.ts';

/** Does some work with the API of a cluster, and says in a sentence what is wrong with the cluster when something is. */
export async function withCluster<T>(
  chosen: string | undefined | ClusterChoice,
  env: Readonly<Record<string, string | undefined>>,
  work: (client: HttpClient) => Promise<T>,
): Promise<T> {
  const choice = typeof chosen === 'object' ? chosen : { kubeconfig: chosen };
  const access = await findCluster(choice, env);
  const client = new HttpClient(access.client);
  try {
    return await work(client);
  } catch (error) {
    throw clusterError(error, access);
  } finally {
    await client.close();
  }
}

function clusterError(error: unknown, { client: { server }, context }: ClusterAccess): unknown {
  if (error instanceof TransportError)
    return new CliError(
      `the cluster of context ${context} at ${server} does not answer (${error.code || error.message}): start it, or name another with --kubeconfig or --context`,
      { cause: error },
    );
  if (isUnauthorized(error))
    return new CliError(
      `the cluster at ${server} does not accept the credentials of context ${context}: sign in again, or name another with --kubeconfig or --context`,
      { cause: error },
    );
  if (isForbidden(error))
    return new CliError(`the cluster refuses: ${error.message}: ask for that right, or use another context`, {
      cause: error,
    });
  if (isUnknownKind(error))
    return new CliError(
      `the cluster of context ${context} lacks a kind that this needs (${error.message}): fairlead up --kubeconfig FILE installs all, or name another with --kubeconfig or --context`,
      { cause: error },
    );
  if (error instanceof ApiError) return new CliError(`the cluster refuses: ${error.message}`, { cause: error });
  return error;
}
