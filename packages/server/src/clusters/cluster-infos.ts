import { apiVersionOf, formatTime, type JsonObject, messageOf, textAt } from '@fairlead/apimachinery';
import {
  type ClusterConfig,
  type ClusterConnection,
  inClusterServer,
  readClusterSecret,
} from '@fairlead/app-controller';
import type { Clock } from '@fairlead/kube';
import { limiter } from '@fairlead/source';
import { rpcErrorOf } from '../rpc/kube-error.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { ServerState } from '../state/server-state.ts';
import { clusterData } from './cluster-secrets.ts';

/** How clusters are reached. */
export interface ClusterAccess {
  /** The cluster that the server runs in. */
  readonly inCluster: ClusterConnection;
  connect(config: ClusterConfig): ClusterConnection;
}

/** How long what a cluster has answered counts. */
const cachedMs = 60_000;
const maxInfos = 10_000;
/** Clusters that are connected to at a time. */
const maxConnections = 16;

/** What is known of clusters from connecting to them: their version and kinds, and whether they answer. */
export class ClusterInfos {
  readonly #state: ServerState;
  readonly #access: ClusterAccess | undefined;
  readonly #clock: Clock;
  /** By server and credentials, so that a change of these is tested at once. */
  readonly #known = new Map<string, { readonly info: Promise<JsonObject>; readonly until: number }>();

  constructor(state: ServerState, access: ClusterAccess | undefined) {
    this.#state = state;
    this.#access = access;
    this.#clock = state.clock;
  }

  /** Clusters with what is known of them. Those without Applications are not connected to. */
  async describe(clusters: readonly JsonObject[]): Promise<JsonObject[]> {
    const applicationsIn = this.#counter();
    const limited = limiter(maxConnections);
    return Promise.all(clusters.map((cluster) => limited(() => this.#describe(cluster, applicationsIn(cluster)))));
  }

  async #describe(cluster: JsonObject, applicationsCount: number): Promise<JsonObject> {
    const key = keyOf(cluster);
    const known = this.#known.get(key);
    const isWatched = applicationsCount > 0 || textAt(cluster, 'server') === inClusterServer;
    if (isWatched && this.#access && (!known || this.#clock.now() >= known.until)) this.#keep(key, this.#ask(cluster));
    const info = (await this.#known.get(key)?.info) ?? {};
    const { connectionState, serverVersion } = info;
    return {
      ...cluster,
      ...(connectionState === undefined ? {} : { connectionState }),
      ...(serverVersion === undefined ? {} : { serverVersion }),
      info: { ...info, applicationsCount },
    };
  }

  /** Connects to a cluster, and remembers its version. Throws if that fails. */
  async test(cluster: JsonObject): Promise<void> {
    if (!this.#access) return;
    const serverVersion = await this.#connected(cluster, ({ version }) => version());
    const info = { connectionState: this.#connectionState('Successful'), serverVersion };
    this.#keep(keyOf(cluster), Promise.resolve(info));
  }

  #keep(key: string, info: Promise<JsonObject>): void {
    if (this.#known.size >= maxInfos) this.#known.clear();
    this.#known.set(key, { info, until: this.#clock.now() + cachedMs });
  }

  async #ask(cluster: JsonObject): Promise<JsonObject> {
    try {
      return await this.#connected(cluster, async ({ version, discover }) => {
        const [serverVersion, all] = await Promise.all([version(), discover()]);
        const types = all.filter(({ verbs }) => verbs.includes('list') && verbs.includes('watch'));
        const apiVersions = types.flatMap((type) => [apiVersionOf(type), `${apiVersionOf(type)}/${type.kind}`]);
        return {
          connectionState: this.#connectionState('Successful'),
          serverVersion,
          apiVersions: [...new Set(apiVersions)].sort(),
          cacheInfo: { apisCount: types.length },
        };
      });
    } catch (error) {
      return { connectionState: this.#connectionState('Failed', messageOf(error)) };
    }
  }

  #connectionState(status: string, message = ''): JsonObject {
    return { status, message, attemptedAt: formatTime(this.#clock.now()) };
  }

  async #connected<T>(cluster: JsonObject, use: (connection: ClusterConnection) => Promise<T>): Promise<T> {
    if (!this.#access) throw new RpcError('Unimplemented', 'this server does not connect to clusters');
    const isOwn = textAt(cluster, 'server') === inClusterServer;
    const connection = isOwn ? this.#access.inCluster : this.#access.connect(configOf(cluster));
    try {
      return await use(connection);
    } catch (error) {
      const { code, message } = rpcErrorOf(error);
      throw new RpcError(code, `failed to get server version: ${message}`);
    } finally {
      if (!isOwn) await connection.close();
    }
  }

  /** Counts Applications by their destination, once for all clusters. */
  #counter(): (cluster: JsonObject) => number {
    const counts = new Map<string, number>();
    for (const { spec } of this.#state.applications.list()) {
      const { server = '', name = '' } = spec.destination;
      const key = server === '' ? `name ${name}` : `server ${server.replace(/\/+$/u, '')}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return (cluster) =>
      (counts.get(`server ${textAt(cluster, 'server')}`) ?? 0) + (counts.get(`name ${textAt(cluster, 'name')}`) ?? 0);
  }
}

/** Throws if the cluster cannot be connected to as it is described. */
function configOf(cluster: JsonObject): ClusterConfig {
  const { config, problem = '' } = readClusterSecret({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: textAt(cluster, 'name') },
    data: clusterData(cluster),
  });
  if (config) return config;
  throw new RpcError('Unknown', `error getting REST config: ${problem.replace(/^Secret \S+: /u, '')}`);
}

const keyOf = (cluster: JsonObject): string => JSON.stringify([textAt(cluster, 'server'), cluster['config'] ?? {}]);
