import type { Application } from '@fairlead/api';
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
  /** When the server began to follow it, after the request for it or before. */
  readonly since: number;
  release(): void;
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

  /** Throws an RpcError if there is no such cluster, or it cannot be read. */
  async lease(destination: Application['spec']['destination']): Promise<ClusterLease> {
    const found = destinationCluster(destination, knownClusters(this.#state.secrets.list()));
    if (typeof found === 'string') throw new RpcError('Unknown', `InvalidSpecError: ${found}`);
    const read = this.#secretOf(found.server);
    if (!read.config) throw new RpcError('FailedPrecondition', read.problem ?? `cluster ${found.server} is not usable`);
    const entry = this.#entryOf(found.server, read, read.config);
    entry.users += 1;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      this.#rest(found.server, entry);
    };
    try {
      const { since, cluster, connection } = await entry.opening;
      const { installation } = this;
      if (entry.installation !== installation) {
        entry.installation = installation;
        await cluster.adopt(installation);
      }
      return { since, cluster, connection, installation, release };
    } catch (error) {
      release();
      if (this.#entries.get(found.server) === entry) this.#drop(found.server, entry);
      throw new RpcError('Unavailable', `cluster ${found.server} does not answer: ${messageOf(error)}`);
    }
  }

  close(): void {
    for (const [server, entry] of this.#entries) this.#drop(server, entry);
  }

  #secretOf(server: string): ReadSecret {
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
      { ...config, client, discover, version, installation, jq, lua, ...this.#environment },
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
