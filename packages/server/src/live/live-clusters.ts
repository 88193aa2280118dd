import { agentOfApplication, liveAccessOf, liveAccessSecret } from '@fairlead/agent';
import type { Agent, Application } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import {
  type ClusterConfig,
  type Installation,
  inClusterEntry,
  inClusterServer,
  type OpenCluster,
  openCluster,
  type ReadSecret,
  readClusterSecret,
  readInstallation,
  type StreamingConnection,
  sameServer,
} from '@fairlead/app-controller';
import type { Jq, Lua } from '@fairlead/engine';
import { type Clock, type Logger, limits, type Random } from '@fairlead/kube';
import { destinationCluster, isClusterSecret, knownClusters } from '../applications/destination.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { ServerState } from '../state/server-state.ts';

export interface LiveClustersOptions {
  /** The cluster that the server runs on. */
  readonly inCluster: StreamingConnection;
  connect(config: ClusterConfig): StreamingConnection;
  readonly jq: Jq;
  readonly lua: Lua;
}

interface Environment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** A cluster for as long as somebody uses it. */
export interface ClusterLease {
  readonly cluster: OpenCluster;
  readonly connection: StreamingConnection;
  readonly installation: Installation;
  /** The agent through which the cluster is reached; undefined if the server connects to it itself. */
  readonly agent?: Agent;
  /** When the server began to follow it, after the request for it or before. */
  readonly since: number;
  release(): void;
}

/** The same cluster, with the permissions of another user. */
export function leaseAs(lease: ClusterLease, user: string): ClusterLease {
  const connection = lease.connection.as(user);
  return {
    ...lease,
    cluster: Object.create(lease.cluster, { client: { value: connection.client } }),
    connection: { ...lease.connection, ...connection },
  };
}

interface Opened {
  readonly since: number;
  readonly cluster: OpenCluster;
  readonly connection: StreamingConnection;
}

interface Entry {
  /** What its Secret says, to see whether that changes. */
  readonly described: string;
  readonly opening: Promise<Opened>;
  readonly stop: AbortController;
  installation: Installation;
  users: number;
  usedAt: number;
  cancelIdle: () => void;
}

/**
 * The live state of clusters, for requests. A cluster is read when the first request needs it, shared by all requests, and let go when none has
 * used it for some minutes. Where more clusters are in use than are kept, the one that was used least recently is let go first.
 */
export class LiveClusters {
  readonly #state: ServerState;
  readonly #options: LiveClustersOptions;
  readonly #environment: Environment;
  readonly #entries = new Map<string, Entry>();
  #installation: { readonly of: readonly unknown[]; readonly read: Installation } | undefined;

  constructor(state: ServerState, options: LiveClustersOptions, environment: Environment) {
    this.#state = state;
    this.#options = options;
    this.#environment = environment;
  }

  /** Runs the scripts of the installation. */
  get lua(): Lua {
    return this.#options.lua;
  }

  get installation(): Installation {
    const of = [this.#state.settings, this.#state.configMap('argocd-cmd-params-cm')] as const;
    if (!this.#installation?.of.every((one, i) => one === of[i])) {
      this.#installation = { of, read: readInstallation(...of) };
    }
    return this.#installation.read;
  }

  /** The number of clusters that are open. */
  get size(): number {
    return this.#entries.size;
  }

  /** The cluster with the objects of an Application. Throws an RpcError if there is no such cluster, or it cannot be read. */
  async lease(application: Application): Promise<ClusterLease> {
    const agent = agentOfApplication(application, this.#state.namespace, (name) => this.#state.agent(name));
    const read = agent ? this.#agentCluster(agent) : this.#registered(application);
    const key = agent ? `agent ${read.server}` : read.server;
    if (!read.config) throw new RpcError('FailedPrecondition', read.problem ?? `cluster ${read.server} is not usable`);
    const entry = this.#entryOf(key, read, read.config);
    entry.users += 1;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      this.#rest(key, entry);
    };
    try {
      const { since, cluster, connection } = await entry.opening;
      const { installation } = this;
      if (entry.installation !== installation) {
        entry.installation = installation;
        await cluster.adopt(installation);
      }
      return { since, cluster, connection, installation, ...(agent ? { agent } : {}), release };
    } catch (error) {
      release();
      if (this.#entries.get(key) === entry) this.#drop(key, entry);
      const which = agent ? `cluster of agent ${agent.metadata.name}` : `cluster ${read.server}`;
      throw new RpcError('Unavailable', `${which} does not answer: ${messageOf(error)}`);
    }
  }

  close(): void {
    for (const [server, entry] of this.#entries) this.#drop(server, entry);
  }

  /** The principal serves the APIs of agents' clusters, as far as each agent permits. */
  #agentCluster({ metadata: { name, uid = '' }, status }: Agent): ReadSecret {
    const secret = `${this.#state.namespace}/${liveAccessSecret}`;
    const access = liveAccessOf(this.#state.secret(liveAccessSecret));
    if (!access)
      throw new RpcError(
        'FailedPrecondition',
        `the objects are in the cluster of agent ${name}, and the principal does not serve live access: start it with --status-port`,
      );
    if (status?.transport !== 'Up') {
      const reason = status?.reason ? `: ${status.reason}` : '';
      throw new RpcError(
        'Unavailable',
        `the objects are in the cluster of agent ${name}, which is not connected${reason}`,
      );
    }
    const server = `${access.url}/agents/${encodeURIComponent(name)}`;
    const shared = { name, server, secret };
    const config = { ...shared, namespaces: [], clusterResources: true, project: '', tls: {}, token: access.token };
    // An agent that was deleted and created again may be another cluster.
    return { ...shared, secret: `${secret} ${uid}`, config };
  }

  #registered({ spec: { destination } }: Application): ReadSecret {
    const found = destinationCluster(destination, knownClusters(this.#state.secrets.list()));
    if (typeof found === 'string') throw new RpcError('Unknown', `InvalidSpecError: ${found}`);
    const { server } = found;
    const read = this.#state.secrets
      .list()
      .filter(isClusterSecret)
      .map(readClusterSecret)
      .find((one) => sameServer(one.server, server));
    return server === inClusterServer ? inClusterEntry(read) : (read ?? { secret: '', name: '', server });
  }

  #entryOf(server: string, read: ReadSecret, config: ClusterConfig): Entry {
    const described = JSON.stringify(read);
    const known = this.#entries.get(server);
    if (known?.described === described) {
      known.cancelIdle();
      known.usedAt = this.#environment.clock.now();
      return known;
    }
    if (known) this.#drop(server, known);
    this.#makeRoom();
    const stop = new AbortController();
    const { installation } = this;
    const opening = this.#open(config, installation, stop.signal);
    // Each lease of it receives the failure.
    opening.catch(() => {});
    const usedAt = this.#environment.clock.now();
    const entry: Entry = { described, opening, stop, installation, users: 0, usedAt, cancelIdle: () => {} };
    this.#entries.set(server, entry);
    return entry;
  }

  async #open(config: ClusterConfig, installation: Installation, signal: AbortSignal): Promise<Opened> {
    const { inCluster, connect, jq, lua } = this.#options;
    const isOwn = config.server === inClusterServer;
    const connection = isOwn ? inCluster : connect(config);
    if (!isOwn) signal.addEventListener('abort', () => void connection.close().catch(() => {}), { once: true });
    const { client, discover, version } = connection;
    const cluster = await openCluster(
      {
        ...config,
        client,
        clientAs: (user) => connection.as(user).client,
        discover,
        version,
        installation,
        jq,
        lua,
        ...this.#environment,
      },
      signal,
    );
    return { since: this.#environment.clock.now(), cluster, connection };
  }

  #rest(server: string, entry: Entry): void {
    if (entry.users > 0 || this.#entries.get(server) !== entry) return;
    entry.cancelIdle();
    entry.usedAt = this.#environment.clock.now();
    entry.cancelIdle = this.#environment.clock.after(limits.apiClusterIdleMs, () => this.#drop(server, entry));
  }

  #makeRoom(): void {
    if (this.#entries.size < limits.apiClusters) return;
    const idle = [...this.#entries].filter(([, { users }]) => users === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const [oldest] = idle;
    if (!oldest)
      throw new RpcError('ResourceExhausted', 'too many clusters are in use at the same time: try again later');
    this.#drop(...oldest);
  }

  #drop(server: string, entry: Entry): void {
    if (this.#entries.get(server) === entry) this.#entries.delete(server);
    entry.cancelIdle();
    entry.stop.abort();
  }
}
