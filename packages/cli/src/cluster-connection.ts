import { ApiError, HttpClient, loadKubeconfig, TransportError } from '@fairlead/kube';
import { Complaint } from './complaint.ts';

/** Does some work with the API of a cluster: that of the file given, or the one that kubectl would use. */
export async function withCluster<T>(
  kubeconfig: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  work: (client: HttpClient) => Promise<T>,
): Promise<T> {
  const client = new HttpClient((await access(kubeconfig, env)).client);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof TransportError)
      throw new Complaint(`the cluster does not answer: ${error.message}`, { cause: error });
    if (error instanceof ApiError) throw new Complaint(`the cluster refuses: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await client.close();
  }
}

async function access(path: string | undefined, env: Readonly<Record<string, string | undefined>>) {
  try {
    return await loadKubeconfig({ env, ...(path === undefined ? {} : { path }) });
  } catch (error) {
    const what = path === undefined ? 'no cluster to compare with' : `the kubeconfig ${path} cannot be used`;
    throw new Complaint(`${what}: ${(error as Error).message}`, { cause: error });
  }
}
