import { crdType } from '@fairlead/api';
import { createKinds, type DiscoveredType, type Kinds, LiveState, type LiveStateOptions } from '@fairlead/engine';
import { type ApiClient, apiVersionOf, type Clock, Informer, type Logger, type Random } from '@fairlead/kube';
import type { DestinationCluster } from './project.ts';

/** A cluster that Applications deploy to: how to talk to it, which kinds it has, and what is in it. */
export interface Cluster extends DestinationCluster {
  readonly client: ApiClient;
  readonly kinds: Kinds;
  readonly live: LiveState;
  /** What charts are told of it. */
  readonly capabilities: Capabilities;
  /** Looks again which kinds there are: after a CustomResourceDefinition was applied. */
  refreshKinds(): Promise<void>;
}

/** What a cluster is and has, as templates may ask. */
export interface Capabilities {
  readonly kubeVersion?: string;
  /** `group/version`, and `group/version/Kind`. */
  readonly apiVersions?: readonly string[];
}

export interface ClusterOptions extends DestinationCluster {
  readonly client: ApiClient;
  /** Asks the server which kinds it has. */
  readonly discover: () => Promise<readonly DiscoveredType[]>;
  /** Asks the server which version it is. */
  readonly version?: () => Promise<string>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** What is looked at in it, and how objects are marked. */
  readonly live?: Omit<LiveStateOptions, 'clock' | 'random' | 'log'>;
}

/** Kinds that cannot be read do not hold up all others for longer than this. */
const syncDeadlineMs = 20_000;

/** Connects to a cluster and follows it until the signal aborts. Resolves once its objects are known. */
export async function openCluster(options: ClusterOptions, signal: AbortSignal): Promise<Cluster> {
  const { client, clock, random, log, name, server, discover } = options;
  const live = new LiveState(client, { ...options.live, clock, random, log });
  let kinds = createKinds([]);
  let capabilities: Capabilities = {};
  const refreshKinds = async (): Promise<void> => {
    const types = await discover();
    kinds = createKinds(types);
    const kubeVersion = await options.version?.();
    capabilities = { ...(kubeVersion ? { kubeVersion } : {}), apiVersions: apiVersionsOf(types) };
    live.follow(kinds, signal);
  };
  await refreshKinds();
  followDefinitions(options, refreshKinds, signal);
  await withinDeadline(live.waitForSync(signal), clock, syncDeadlineMs);
  if (live.unsynced.length > 0)
    log.warn('some kinds could not be read in time', { cluster: name, kinds: live.unsynced });
  return {
    name,
    server,
    client,
    live,
    refreshKinds,
    get kinds() {
      return kinds;
    },
    get capabilities() {
      return capabilities;
    },
  };
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
        log.warn('the kinds of the cluster could not be read', { error });
        if (!signal.aborted) later();
      });
    });
  };
  definitions.addHandler({ onAdd: (_, initial) => initial || later(), onUpdate: later, onDelete: later });
  signal.addEventListener('abort', () => pending(), { once: true });
  void definitions.run(signal);
}

function withinDeadline(promise: Promise<void>, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, resolve);
    promise.then(() => {
      cancel();
      resolve();
    }, reject);
  });
}
