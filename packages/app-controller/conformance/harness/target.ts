import { type ResourceType, textAt } from '@fairlead/apimachinery';
import {
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
  simStorageClass,
  startEmbeddedCluster,
} from '@fairlead/control-plane';
import {
  type ApiClient,
  accessOf,
  type Clock,
  Discovery,
  HttpClient,
  loadKubeconfig,
  parseKubeconfig,
  sleep,
  systemClock,
} from '@fairlead/kube';
import { IdleClock } from './idle-clock.ts';

/** A cluster that scenarios run on: the embedded one, or the one of a kubeconfig. */
export interface Target {
  /** For the controller, and for the objects that the recorder wrote. */
  readonly client: HttpClient;
  /** The cluster that Applications deploy to. */
  readonly destination: HttpClient;
  /** Reads the same objects as cheaply as possible. */
  readonly reader: Pick<ApiClient, 'get' | 'list'>;
  readonly clock: Clock;
  /** The kinds that are served now. */
  kinds(): Promise<readonly ResourceType[]>;
  /** Advances the time, and runs everything that is due. */
  pass(ms: number): Promise<void>;
  /** Advances the time until the work has ended. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Time does not advance by itself while such work is running. */
  track<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface EmbeddedTarget {
  readonly nodes?: number;
  /** `false`: volumes are not provisioned, and pods that request ephemeral storage are not scheduled. */
  readonly storage?: boolean;
  /** How often autoscalers are evaluated, if not as on a real cluster. */
  readonly autoscalerPeriodMs?: number;
}

/** Nodes on which a pod becomes Ready at once and the pod of a Job succeeds. Time advances as fast as the work is done. */
export async function openEmbeddedTarget({
  nodes = 2,
  storage = true,
  ...cluster
}: EmbeddedTarget = {}): Promise<Target> {
  if (storage) return openEmbedded({ nodes, ...cluster });
  const target = await openEmbedded({ nodes: 0, readyAtOnce: true, ...cluster }, async ({ fleet }) => {
    for (let index = 1; index <= nodes; index += 1) {
      await fleet.addNode({ name: `node-${index}`, address: `192.168.0.${index}`, ephemeralStorage: false });
    }
  });
  const storageClass = await typeOf(target, simStorageClass);
  await target.during(target.client.delete(storageClass, { name: nameOf(simStorageClass) }));
  return target;
}

async function openEmbedded(
  options: EmbeddedClusterOptions,
  prepare: (cluster: EmbeddedCluster) => Promise<void> = async () => {},
): Promise<Target> {
  const clock = new IdleClock();
  const cluster = await clock.during(startEmbeddedCluster({ ...options, clock, seed: 1, nodeEvents: false }));
  await clock.during(prepare(cluster));
  clock.observe(() => cluster.api.storage.revision);
  const access = await accessOf(parseKubeconfig(cluster.kubeconfig(), 'kubeconfig'));
  const client = tracked(new HttpClient(access.client), (work) => clock.track(work));
  return {
    client,
    destination: client,
    reader: cluster.client('reader'),
    clock,
    kinds: async () => cluster.api.registry.all().filter(({ verbs }) => verbs.includes('list')),
    pass: (ms) => clock.advance(ms),
    during: (work) => clock.during(work),
    track: (work) => clock.track(work),
    async close() {
      await client.close();
      await clock.during(cluster.close());
    },
  };
}

/** A cluster in real time. */
export async function openRealTarget(kubeconfig: string): Promise<Target> {
  const access = await loadKubeconfig({ path: kubeconfig });
  const client = new HttpClient(access.client);
  const discovery = new Discovery(client);
  return {
    client,
    destination: client,
    reader: client,
    clock: systemClock,
    async kinds() {
      discovery.invalidate();
      const { groups } = await discovery.catalogue();
      const all = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
      return all.filter((type) => type.verbs.includes('list') && !type.plural.includes('/'));
    },
    pass: (ms) => sleep(systemClock, ms),
    during: (work) => work,
    track: (work) => work(),
    close: () => client.close(),
  };
}

const untracked = new Set(['watch', 'close']);

/** The same client, with everything but watches tracked. */
function tracked(client: HttpClient, track: Target['track']): HttpClient {
  return new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (untracked.has(String(name))) return method.bind(target);
      return (...args: readonly unknown[]) => {
        const result: unknown = method.apply(target, args);
        return result instanceof Promise ? track(() => result) : result;
      };
    },
  });
}

/** The kind of an object, as the cluster serves it. */
export async function typeOf(
  target: Target,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Promise<ResourceType> {
  const found = (await target.kinds()).find(
    (type) => type.kind === kind && apiVersion === (type.group ? `${type.group}/${type.version}` : type.version),
  );
  if (!found) throw new Error(`the cluster does not serve ${apiVersion} ${kind}`);
  return found;
}

export const nameOf = (object: unknown): string => textAt(object, 'metadata', 'name');
