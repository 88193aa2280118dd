import { ApiError, isForbidden, isUnauthorized, isUnknownKind } from '@fairlead/apimachinery';
import { type ClusterAccess, HttpClient, TransportError } from '@fairlead/kube';
import { briefMessage } from './brief-error.ts';
import { CliError } from './cli-error.ts';
import { type ClusterChoice, findCluster } from './find-cluster.ts';

/** Calls `work` with a client of the cluster. Errors of the cluster become a CliError. */
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
      `the cluster of context ${context} at ${server} does not respond (${error.code || error.message}): start it, or choose another with --kubeconfig or --context`,
      { cause: error },
    );
  if (isUnauthorized(error))
    return new CliError(
      `the cluster at ${server} rejects the credentials of context ${context} (401): log in again, or choose another with --kubeconfig or --context`,
      { cause: error },
    );
  if (isForbidden(error))
    return new CliError(`access denied: ${error.message}. Request this permission, or use another context`, {
      cause: error,
    });
  if (isUnknownKind(error))
    return new CliError(
      `the cluster of context ${context} lacks a required kind (${error.message}): fairlead up --kubeconfig FILE installs it, or choose another with --kubeconfig or --context`,
      { cause: error },
    );
  if (error instanceof ApiError)
    return new CliError(`the cluster rejected the request: ${briefMessage(error)}`, { cause: error });
  return error;
}
