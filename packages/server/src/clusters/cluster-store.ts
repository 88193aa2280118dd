import { type JsonObject, type Secret, secretType, secretValue, textAt } from '@fairlead/apimachinery';
import { inClusterName, inClusterServer } from '@fairlead/app-controller';
import { notFound } from '../rpc/rpc-error.ts';
import { secretTypeLabel } from '../state/secret-labels.ts';
import type { ServerState } from '../state/server-state.ts';
import { clusterFromSecret, clusterSecretType, secretOfCluster } from './cluster-secrets.ts';

/** Clusters in the Secrets of the server's namespace, and the one that the server runs in. */
export class ClusterStore {
  readonly #state: ServerState;
  readonly #isInClusterEnabled: () => boolean;

  constructor(state: ServerState, isInClusterEnabled: () => boolean) {
    this.#state = state;
    this.#isInClusterEnabled = isInClusterEnabled;
  }

  /** By the name of their Secret; the cluster that the server runs in is last unless it has one. */
  list(): JsonObject[] {
    const isEnabled = this.#isInClusterEnabled();
    const stored = this.#secrets().map(clusterFromSecret);
    const isOwn = (cluster: JsonObject): boolean => textAt(cluster, 'server') === inClusterServer;
    const shown = isEnabled ? stored : stored.filter((cluster) => !isOwn(cluster));
    return isEnabled && !stored.some(isOwn) ? [...shown, ownCluster] : shown;
  }

  secretOf(server: string): Secret | undefined {
    const address = server.replace(/\/+$/u, '');
    return this.#secrets().find((secret) => (secretValue(secret, 'server') ?? '').replace(/\/+$/u, '') === address);
  }

  /** Creates or replaces the Secret of a cluster. */
  async put(cluster: JsonObject): Promise<JsonObject> {
    const { client, namespace, secrets } = this.#state;
    const existing = this.secretOf(textAt(cluster, 'server'));
    const secret = secretOfCluster(cluster, namespace, existing);
    const write = existing ? client.replace(secretType, secret) : client.create(secretType, secret);
    return clusterFromSecret(await this.#state.seen(secrets, await write));
  }

  async delete(server: string): Promise<void> {
    const secret = this.secretOf(server);
    if (!secret) throw notFound(`cluster ${JSON.stringify(server)} not found`);
    await this.#state.releaseSecret(secret);
  }

  #secrets(): Secret[] {
    return this.#state.secrets
      .list()
      .filter(({ metadata }) => metadata.labels?.[secretTypeLabel] === clusterSecretType)
      .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  }
}

const ownCluster: JsonObject = { server: inClusterServer, name: inClusterName, config: {} };
