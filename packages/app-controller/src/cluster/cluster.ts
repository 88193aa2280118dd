import { apiVersionOf, crdType } from '@fairlead/apimachinery';
import {
  createJq,
  createKinds,
  createLua,
  createTracker,
  type DiscoveredType,
  excludedIn,
  type Jq,
  type Kinds,
  type LiveListener,
  LiveState,
  type Lua,
} from '@fairlead/engine';
import { type ApiClient, type Clock, Informer, type Logger, onAbort, type Random } from '@fairlead/kube';
import { ResourceEvaluator } from '../compare/resource-evaluator.ts';
import type { DestinationCluster } from '../project/project.ts';
import { defaultInstallation, type Installation, liveKeyOf } from '../settings/installation.ts';

/** A cluster that Applications deploy to: its client, kinds and live objects. */
export interface Cluster extends DestinationCluster {
  readonly client: ApiClient;
  /** A client with the permissions of another user. */
  readonly clientAs: (user: string) => ApiClient;
  readonly kinds: Kinds;
  readonly live: LiveState;
  /** How its objects are compared, and how their health is assessed. */
  readonly evaluator: ResourceEvaluator;
  /** The information about the cluster for charts. */
  readonly capabilities: Capabilities;
  /** Reads the served kinds again: after a CustomResourceDefinition was applied. */
  refreshKinds(): Promise<void>;
  /** An object was added, changed or deleted. */
  onLiveChange(listener: LiveListener): () => void;
  /** Whether a request has been pending for longer than expected. */
  readonly isSlow?: () => boolean;
  /** Waits for responses without holding a worker while the cluster is slow; requests of `client` do so themselves. */
  readonly waitFor?: <T>(answer: Promise<T>) => Promise<T>;
}

/**
 * The same cluster, with changes sent as a user; as the controller itself without one. What is read comes from the watch cache of the
 * controller, or from the server with its permissions.
 */
export function clusterAs(cluster: Cluster, user: string | undefined): Cluster {
  if (user === undefined) return cluster;
  const { client } = cluster;
  const writer = cluster.clientAs(user);
  const value: ApiClient = {
    get: (...request) => client.get(...request),
    list: (...request) => client.list(...request),
    watch: (...request) => client.watch(...request),
    create: (...request) => writer.create(...request),
    replace: (...request) => writer.replace(...request),
    patch: (...request) => writer.patch(...request),
    delete: (...request) => writer.delete(...request),
    deleteCollection: (...request) => writer.deleteCollection(...request),
  };
  // The rest of a cluster changes while it is in use: it is not copied.
  return Object.create(cluster, { client: { value } });
}

/** A cluster as its owner holds it. */
export interface OpenCluster extends Cluster {
  /**
   * Switches to other settings; if they change what is cached of the cluster, it is read again, and replaces the old cache once complete.
   */
  adopt(installation: Installation): Promise<void>;
}

/** Properties of a cluster that templates may use. */
export interface Capabilities {
  readonly kubeVersion?: string;
  /** `group/version`, and `group/version/Kind`. */
  readonly apiVersions?: readonly string[];
}

export interface ClusterOptions extends DestinationCluster {
  readonly client: ApiClient;
  readonly clientAs: (user: string) => ApiClient;
  readonly isSlow?: () => boolean;
  /** Reads the kinds that the server has. */
  readonly discover: () => Promise<readonly DiscoveredType[]>;
  /** Reads the version of the server. */
  readonly version?: () => Promise<string>;
  readonly installation?: Installation;
  readonly jq?: Jq;
  readonly lua?: Lua;
  /** Only these namespaces are watched; all when empty. */
  readonly namespaces?: readonly string[];
  /** Whether cluster-scoped kinds are watched too where only some namespaces are. */
  readonly clusterResources?: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Kinds that cannot be read delay all others by no more than this. */
const syncDeadlineMs = 20_000;

/** Connects to a cluster and watches it until the signal aborts. Resolves once its objects are known. */
export async function openCluster(options: ClusterOptions, signal: AbortSignal): Promise<OpenCluster> {
  const { client, clientAs, name, server, discover } = options;
  const { jq = createJq(), lua = createLua() } = options;
  const listeners = new Set<LiveListener>();
  let kinds = createKinds([]);
  let capabilities: Capabilities = {};
  let view = createView(options.installation ?? defaultInstallation);
  /** The next view, while its cache is filled. */
  let coming: typeof view | undefined;

  function createView(installation: Installation) {
    const stop = new AbortController();
    const evaluator: ResourceEvaluator = new ResourceEvaluator({
      client,
      clientAs,
      kinds: () => kinds,
      live: () => view.live,
      installation,
      jq,
      lua,
    });
    // The current evaluator decides which changes are relevant: other rules need no other cache of the cluster.
    const isRelevantChange: ResourceEvaluator['isRelevantChange'] = (old, object) =>
      view.evaluator.isRelevantChange(old, object);
    return { installation, evaluator, stop, live: liveOf(options, installation, evaluator, isRelevantChange) };
  }

  const refreshKinds = async (): Promise<void> => {
    const types = await discover();
    kinds = createKinds(types);
    const kubeVersion = await options.version?.();
    capabilities = { ...(kubeVersion ? { kubeVersion } : {}), apiVersions: apiVersionsOf(types) };
    for (const one of coming ? [view, coming] : [view]) follow(one);
  };
  const follow = ({ live, stop }: typeof view): void => live.follow(kinds, AbortSignal.any([signal, stop.signal]));
  const forward = (live: LiveState): void => {
    live.onChange((change) => {
      if (live === view.live) for (const listener of listeners) listener(change);
    });
  };
  let adopting: Promise<void> = Promise.resolve();
  const adopt = async (installation: Installation): Promise<void> => {
    const next = createView(installation);
    if (liveKeyOf(installation) === liveKeyOf(view.installation)) {
      view = { ...view, installation, evaluator: next.evaluator };
      return;
    }
    coming = next;
    follow(next);
    await synced(options, next.live, signal).finally(() => {
      coming = undefined;
    });
    const { stop } = view;
    view = next;
    forward(next.live);
    stop.abort();
  };
  await refreshKinds();
  forward(view.live);
  followDefinitions(options, refreshKinds, signal);
  await synced(options, view.live, signal);

  return {
    name,
    server,
    ...(options.project ? { project: options.project } : {}),
    client,
    clientAs,
    ...(options.isSlow ? { isSlow: options.isSlow } : {}),
    refreshKinds,
    // One after the other: settings that take longer to apply must not replace newer ones.
    adopt(installation) {
      const adopted = adopting.then(() => adopt(installation));
      adopting = adopted.catch(() => {});
      return adopted;
    },
    onLiveChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get live() {
      return view.live;
    },
    get evaluator() {
      return view.evaluator;
    },
    get kinds() {
      return kinds;
    },
    get capabilities() {
      return capabilities;
    },
  };
}

function liveOf(
  options: ClusterOptions,
  installation: Installation,
  evaluator: ResourceEvaluator,
  isRelevantChange: ResourceEvaluator['isRelevantChange'],
): LiveState {
  const { client, clock, random, log, server, namespaces = [], clusterResources = false } = options;
  return new LiveState(client, {
    clock,
    random,
    log,
    tracker: createTracker(installation.tracking),
    isExcluded: excludedIn(server, installation.filter),
    namespaces,
    clusterResources,
    respectRbac: installation.respectRbac,
    shownLabels: installation.shownLabels,
    keepsWhole: (object) => evaluator.hasScriptFor(object),
    isRelevantChange,
  });
}

async function synced({ clock, log, name }: ClusterOptions, live: LiveState, signal: AbortSignal): Promise<void> {
  await withinDeadline(live.waitForSync(signal), clock, syncDeadlineMs);
  if (live.unsynced.length > 0)
    log.warn('some kinds could not be listed in time', { cluster: name, kinds: live.unsynced });
  for (const [kind, message] of live.forbidden) log.warn('a kind may not be listed', { cluster: name, kind, message });
}

function apiVersionsOf(types: readonly DiscoveredType[]): string[] {
  const versions = new Set<string>();
  for (const type of types) versions.add(apiVersionOf(type)).add(`${apiVersionOf(type)}/${type.kind}`);
  return [...versions].sort();
}

/** A kind is served some time after its definition is written: its status says when. */
function followDefinitions(
  { client, clock, random, log }: ClusterOptions,
  refresh: () => Promise<void>,
  signal: AbortSignal,
): void {
  const definitions = new Informer(
    client,
    crdType,
    {},
    { clock, random, log, transform: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) },
  );
  let pending = () => {};
  const later = (): void => {
    pending();
    pending = clock.after(200, () => {
      refresh().catch((error: unknown) => {
        if (signal.aborted) return;
        log.warn('the kinds of the cluster could not be discovered', { error });
        later();
      });
    });
  };
  definitions.addHandler({ onAdd: (_, initial) => initial || later(), onUpdate: later, onDelete: later });
  onAbort(signal, () => pending());
  void definitions.run(signal);
}

function withinDeadline(promise: Promise<void>, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, resolve);
    promise.then(resolve, reject).finally(cancel);
  });
}
