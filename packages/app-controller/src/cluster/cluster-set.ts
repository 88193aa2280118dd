import { keyOf, messageOf, type Secret, secretType } from '@fairlead/apimachinery';
import { type Jq, knownAnnotations, type LiveChange, type Lua } from '@fairlead/engine';
import {
  type ApiClient,
  Backoff,
  type Clock,
  Informer,
  type Logger,
  onAbort,
  type Random,
  sleep,
} from '@fairlead/kube';
import type { DestinationCluster } from '../project/project.ts';
import type { Installation } from '../settings/installation.ts';
import { type Cluster, type OpenCluster, openCluster } from './cluster.ts';
import type { ClusterConnection } from './cluster-connection.ts';
import { monitor } from './cluster-monitor.ts';
import { ClusterRequests } from './cluster-requests.ts';
import { type ClusterConfig, type ReadSecret, readClusterSecret } from './cluster-secret.ts';
import {
  type ClusterProblem,
  type Clusters,
  clusterError,
  type DestinationName,
  inClusterName,
  inClusterServer,
  notFound,
  sameServer,
} from './clusters.ts';
import { inClusterEntry } from './in-cluster.ts';

export interface ClusterSetOptions {
  /** The API in which the Secrets are. */
  readonly client: ApiClient;
  readonly namespace: string;
  /** The cluster that Applications live in. */
  readonly inCluster: ClusterConnection;
  readonly connect: (config: ClusterConfig) => ClusterConnection;
  readonly installation: { readonly current: Installation; onChange(listener: () => void): () => void };
  readonly jq: Jq;
  readonly lua: Lua;
  /** How often a cluster is checked for availability. */
  readonly monitorMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

const secretSelector = 'argocd.argoproj.io/secret-type=cluster';
/** Other clusters than the local one delay the start by no more than this. */
const startDeadlineMs = 10_000;

/** When the cache of the cluster was last invalidated. */
const refreshOf = ({ metadata }: Secret): string | undefined => metadata.annotations?.[knownAnnotations.refresh.name];

type State =
  | { readonly is: 'connecting' }
  | { readonly is: 'ready'; readonly cluster: OpenCluster }
  | { readonly is: 'away'; readonly cluster?: OpenCluster; readonly message: string };

/** One cluster, as long as its Secret exists. */
interface Entry {
  readonly read: ReadSecret;
  readonly stop: AbortController;
  state: State;
}

/**
 * All clusters: the one that Applications live in, and those of Secrets labelled `argocd.argoproj.io/secret-type: cluster`. Each is
 * connected independently, with retries until it responds; a changed Secret opens a new connection.
 */
export class ClusterSet implements Clusters {
  readonly #options: ClusterSetOptions;
  /** By the key of the Secret; the cluster that Applications live in under `''`. */
  readonly #entries = new Map<string, Entry>();
  readonly #live = new Set<(cluster: Cluster, change: LiveChange) => void>();
  readonly #changes = new Set<(cluster: DestinationCluster) => void>();

  constructor(options: ClusterSetOptions) {
    this.#options = options;
  }

  /** Connects until the signal aborts. Resolves once every cluster is connected, or its start timeout has passed. */
  async start(signal: AbortSignal): Promise<void> {
    const { client, namespace, clock, installation } = this.#options;
    const secrets = new Informer<Secret>(
      client,
      secretType,
      { namespace, labelSelector: secretSelector },
      this.#options,
    );
    this.#put('', inClusterEntry(undefined));
    secrets.addHandler({
      onAdd: (secret) => this.#putSecret(secret),
      onUpdate: (old, secret) => {
        const isInvalidated = refreshOf(secret) !== undefined && refreshOf(secret) !== refreshOf(old);
        if (isInvalidated || JSON.stringify(old.data) !== JSON.stringify(secret.data))
          this.#putSecret(secret, isInvalidated);
      },
      onDelete: (secret) => this.#dropSecret(secret),
    });
    const stopSettings = installation.onChange(() => void this.#adopt());
    onAbort(signal, () => {
      stopSettings();
      for (const { stop } of this.#entries.values()) stop.abort();
    });
    void secrets.run(signal);
    await secrets.waitForSync(signal);
    const deadline = clock.now() + startDeadlineMs;
    const isAwaited = ({ read, state }: Entry): boolean =>
      state.is === 'connecting' && (read.server === inClusterServer || clock.now() < deadline);
    while (this.#list().some(isAwaited)) await sleep(clock, 20, signal);
  }

  find(destination: DestinationName): Cluster | ClusterProblem {
    const { server = '', name = '' } = destination;
    if (server !== '' && name !== '') {
      return {
        problem: 'Invalid',
        message: `application destination can't have both name and server defined: ${name} ${server}`,
      };
    }
    const found = this.#list().filter(({ read }) =>
      server !== '' ? sameServer(server, read.server) : isNamed(read, name),
    );
    const [entry, ...others] = found;
    if (!entry) return notFound(destination);
    if (server === '' && others.some(({ read }) => !sameServer(read.server, entry.read.server))) {
      const servers = found.map(({ read }) => read.server).join(' ');
      return { problem: 'Invalid', message: `there are ${found.length} clusters with the same name: [${servers}]` };
    }
    return this.#usable(entry);
  }

  #usable({ read, state }: Entry): Cluster | ClusterProblem {
    if (read.problem) return { problem: 'Invalid', message: read.problem };
    if (read.server === inClusterServer && !this.#options.installation.current.inCluster) {
      return { problem: 'Invalid', message: clusterError(inClusterServer, 'is disabled') };
    }
    if (state.is === 'ready') return state.cluster;
    const why = state.is === 'away' ? `does not respond: ${state.message}` : 'is being connected to';
    const message = `failed to get cluster info for "${read.server}": error synchronizing cache state : cluster ${read.name} ${why}`;
    return { problem: 'Unavailable', message };
  }

  onLiveChange(listener: (cluster: Cluster, change: LiveChange) => void): () => void {
    this.#live.add(listener);
    return () => this.#live.delete(listener);
  }

  onClusterChange(listener: (cluster: DestinationCluster) => void): () => void {
    this.#changes.add(listener);
    return () => this.#changes.delete(listener);
  }

  /** Clusters that are reachable. */
  list(): Cluster[] {
    return this.#list().flatMap(({ state }) => (state.is === 'ready' ? [state.cluster] : []));
  }

  /** Clusters that are unreachable, with the reason. */
  unreachable(): (DestinationCluster & { readonly message: string })[] {
    return this.#list().flatMap((entry) => {
      const found = this.#usable(entry);
      return 'problem' in found ? [{ name: entry.read.name, server: entry.read.server, message: found.message }] : [];
    });
  }

  /** The shards of clusters whose Secrets name one, by server. */
  shards(): Record<string, number> {
    return Object.fromEntries(
      this.#list().flatMap(({ read: { server, shard } }) => (shard === undefined ? [] : [[server, shard]])),
    );
  }

  /** The address of a destination; undefined if the cluster is not known. */
  serverOf({ server = '', name = '' }: DestinationName): string | undefined {
    return this.#list().find(({ read }) => (server === '' ? isNamed(read, name) : sameServer(server, read.server)))
      ?.read.server;
  }

  #list(): Entry[] {
    return [...this.#entries.values()];
  }

  /** `isInvalidated`: the cluster is connected to again, and everything is read again. */
  #putSecret(secret: Secret, isInvalidated = false): void {
    const read = readClusterSecret(secret);
    if (read.problem) this.#options.log.warn('a cluster cannot be used', { problem: read.problem });
    if (sameServer(read.server, inClusterServer)) return this.#put('', inClusterEntry(read), isInvalidated);
    this.#put(keyOf(secret), read, isInvalidated);
  }

  #dropSecret(secret: Secret): void {
    const { server } = readClusterSecret(secret);
    if (sameServer(server, inClusterServer)) return this.#put('', inClusterEntry(undefined));
    const entry = this.#entries.get(keyOf(secret));
    this.#entries.delete(keyOf(secret));
    entry?.stop.abort();
    if (entry) this.#changed(entry);
  }

  #put(key: string, read: ReadSecret, isInvalidated = false): void {
    const old = this.#entries.get(key);
    if (old && !isInvalidated && JSON.stringify(old.read) === JSON.stringify(read)) return;
    const entry: Entry = { read, stop: new AbortController(), state: { is: 'connecting' } };
    this.#entries.set(key, entry);
    old?.stop.abort();
    if (old && old.read.server !== read.server) this.#changed(old);
    if (read.config) void this.#connect(entry, read.config);
    else {
      entry.state = { is: 'away', message: read.problem ?? '' };
      this.#changed(entry);
    }
  }

  async #connect(entry: Entry, config: ClusterConfig): Promise<void> {
    const { clock, random, log, connect, inCluster, jq, lua, installation } = this.#options;
    const { signal } = entry.stop;
    const isOwn = config.server === inClusterServer;
    const connection = isOwn ? inCluster : connect(config);
    const backoff = new Backoff(random, { baseMs: 1_000, maxMs: 60_000 });
    while (!signal.aborted) {
      const attempt = new AbortController();
      try {
        const { discover, version } = connection;
        const requests = new ClusterRequests(connection.client, clock);
        const { client } = requests;
        const isSlow = (): boolean => requests.isSlow;
        const cluster = await openCluster(
          {
            ...config,
            client,
            clientAs: (user) => requests.through(connection.as(user).client),
            isSlow,
            discover,
            version,
            installation: installation.current,
            jq,
            lua,
            clock,
            random,
            log,
          },
          AbortSignal.any([signal, attempt.signal]),
        );
        if (signal.aborted) break;
        cluster.onLiveChange((change) => {
          for (const listener of this.#live) listener(cluster, change);
        });
        this.#become(entry, { is: 'ready', cluster });
        await this.#watch(entry, connection, cluster);
        break;
      } catch (error) {
        attempt.abort();
        if (signal.aborted) break;
        this.#become(entry, { is: 'away', message: messageOf(error) });
        await sleep(clock, backoff.next(), signal).catch(() => {});
      }
    }
    if (!isOwn) await connection.close().catch(() => {});
  }

  async #watch(entry: Entry, { version }: ClusterConnection, cluster: OpenCluster): Promise<void> {
    const { clock, monitorMs } = this.#options;
    await monitor(
      {
        ask: version,
        clock,
        ...(monitorMs ? { everyMs: monitorMs, timeoutMs: Math.max(monitorMs, 2_000) } : {}),
        lost: (error) => this.#become(entry, { is: 'away', cluster, message: error.message }),
        found: () => {
          // It may have been upgraded.
          cluster.refreshKinds().catch(() => {});
          this.#become(entry, { is: 'ready', cluster });
        },
      },
      entry.stop.signal,
    );
  }

  #become(entry: Entry, state: State): void {
    const before = entry.state;
    entry.state = state;
    if (before.is === state.is && state.is === 'away' && before.is === 'away' && before.message === state.message)
      return;
    const { name, server } = entry.read;
    if (state.is === 'away')
      this.#options.log.warn('a cluster does not respond', { cluster: name, server, error: state.message });
    else if (before.is === 'away') this.#options.log.info('a cluster responds again', { cluster: name, server });
    this.#changed(entry);
  }

  #changed({ read }: Entry): void {
    for (const listener of this.#changes) {
      listener({ name: read.name, server: read.server });
      if (read.server === inClusterServer && read.name !== inClusterName)
        listener({ name: inClusterName, server: read.server });
    }
  }

  /** The settings changed: every cluster adopts them, and its Applications are reconciled again. */
  async #adopt(): Promise<void> {
    const { installation, log } = this.#options;
    await Promise.all(
      this.#list().map(async (entry) => {
        try {
          if (entry.state.is !== 'connecting') await entry.state.cluster?.adopt(installation.current);
        } catch (error) {
          log.warn('the new settings could not be applied', { cluster: entry.read.name, error });
        }
        this.#changed(entry);
      }),
    );
  }
}

const isNamed = (read: ReadSecret, name: string): boolean =>
  name !== '' && (read.name === name || (name === inClusterName && read.server === inClusterServer));
