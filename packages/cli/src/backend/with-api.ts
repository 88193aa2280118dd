import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, isForbidden, isUnauthorized, secretType } from '@fairlead/apimachinery';
import { type ClusterConfig, connectionOver, connectTo } from '@fairlead/app-controller';
import { type HttpClient, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { renderSource } from '@fairlead/render';
import { type LocalApi, openLocalApi } from '@fairlead/server';
import { createGpg, createSources } from '@fairlead/source';
import { type CallApi, queryText, type RestRequest } from '../api-server/rest-api.ts';
import { refusal } from '../api-server/server-error.ts';
import { withServer } from '../api-server/with-server.ts';
import { withCluster } from '../cluster-connection.ts';
import { version } from '../commands/version.ts';
import type { Environment } from '../environment.ts';
import { followTrust } from '../roles/trust.ts';
import { userName } from './user-name.ts';
import { type BackendCall, serverFor } from './with-backend.ts';

/**
 * Calls `work` with the REST API of Argo CD: that of the server that a command uses, or, with a kubeconfig, the same code in this
 * process.
 */
export async function withApi<T>(call: BackendCall, work: (api: CallApi) => Promise<T>): Promise<T> {
  const access = serverFor(call);
  if (access) return withServer(access, work);
  const { flags, environment } = call;
  const choice = { kubeconfig: flags.kubeconfig, context: flags.context, dataDir: flags['data-dir'] };
  return withCluster(choice, environment.processes, (client) => withLocalApi(client, environment, work));
}

async function withLocalApi<T>(
  client: HttpClient,
  { processes, namespace }: Environment,
  work: (api: CallApi) => Promise<T>,
): Promise<T> {
  // Informers retry forever: without the right to read Secrets, the error is shown here.
  await client.list(secretType, { namespace, limit: 1 });
  const cacheDir = await mkdtemp(join(tmpdir(), 'fairlead-api-'));
  const stop = new AbortController();
  const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
  const trust = await followTrust(client, namespace, shared, stop.signal);
  const sources = createSources({
    cacheDir,
    clock: systemClock,
    environment: processes,
    pollMs: 600_000,
    allowLocal: true,
    trust,
  });
  const gpg = createGpg({ dir: join(cacheDir, 'gnupg'), environment: processes });
  const api = await openLocalApi({
    client,
    namespace,
    ...shared,
    version: `v${version()}`,
    username: userName(),
    sources: { reader: sources, renderer: renderSource, cluster: async () => ({ kubeVersion: '', apiVersions: [] }) },
    clusterAccess: {
      inCluster: connectionOver(client, silentLogger),
      connect: (config: ClusterConfig) =>
        connectTo(config, { environment: processes, clock: systemClock, log: silentLogger }),
    },
    gpg,
  });
  try {
    return await work(new InProcessRestApi(api));
  } catch (error) {
    // What the kubeconfig may not do is reported as for every command.
    throw error instanceof ApiError && !isForbidden(error) && !isUnauthorized(error) ? refusal(error) : error;
  } finally {
    stop.abort();
    await api.close();
    sources.close();
    await gpg.close();
    await rm(cacheDir, { recursive: true, force: true });
  }
}

class InProcessRestApi implements CallApi {
  readonly #api: LocalApi;

  constructor(api: LocalApi) {
    this.#api = api;
  }

  async call<T = unknown>({ method = 'GET', path, query = {}, body, signal }: RestRequest): Promise<T> {
    const request = {
      method,
      target: `${path}${queryText(query)}`,
      body: body === undefined ? '' : JSON.stringify(body),
    };
    const answer: T = JSON.parse(
      JSON.stringify(await this.#api.request(request, signal ?? new AbortController().signal)),
    );
    return answer;
  }
}
