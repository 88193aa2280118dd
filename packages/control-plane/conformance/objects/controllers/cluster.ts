import { isAlreadyExists, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import {
  accessOf,
  Discovery,
  HttpClient,
  type Informer,
  InformerFactory,
  loadKubeconfig,
  parseKubeconfig,
  sleep,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { startControllers } from '../../../src/controllers/index.ts';
import { startControlPlane } from '../../../src/index.ts';

/** A cluster whose controllers run: the embedded one, or a real one named by a kubeconfig. */
export interface Cluster {
  readonly client: HttpClient;
  typeOf(kind: string, apiVersion?: string): Promise<ResourceType>;
  informer(type: ResourceType): Promise<Informer>;
  /** A namespace with all objects that controllers create in every namespace. */
  freshNamespace(name: string): Promise<string>;
  close(): Promise<void>;
}

const serial = Date.now().toString(36);

export async function openCluster(kubeconfig: string | undefined, nodes: readonly KubeObject[]): Promise<Cluster> {
  const server = kubeconfig
    ? { access: await loadKubeconfig({ path: kubeconfig }), stop: async () => {} }
    : await embedded();
  const client = new HttpClient({ ...server.access.client, maxRetries: 0 });
  const discovery = new Discovery(client);
  const stopping = new AbortController();
  const informers = new InformerFactory(client);
  informers.start(stopping.signal);

  const cluster: Cluster = {
    client,
    async typeOf(kind, apiVersion) {
      const { groups } = await discovery.catalogue();
      const found = groups
        .flatMap((group) => group.versions.flatMap((version) => version.resources))
        .find(
          (type) =>
            type.kind === kind &&
            (apiVersion === undefined ||
              apiVersion === `${type.group}/${type.version}` ||
              (type.group === '' && apiVersion === type.version)),
        );
      if (!found) throw new Error(`${kind} is not served`);
      return found;
    },
    async informer(type) {
      const informer = informers.informer(type);
      await informer.waitForSync();
      return informer;
    },
    async freshNamespace(name) {
      const namespace = `${name.slice(0, 40)}-${serial}`;
      await client.create(await cluster.typeOf('Namespace', 'v1'), bare('Namespace', { name: namespace }));
      for (const [kind, object] of [
        ['ServiceAccount', 'default'],
        ['ConfigMap', 'kube-root-ca.crt'],
      ] as const) {
        const informer = await cluster.informer(await cluster.typeOf(kind, 'v1'));
        const found = await within(10_000, () => informer.get(`${namespace}/${object}`));
        if (!found) throw new Error(`${kind} ${object} did not come into the namespace`);
      }
      return namespace;
    },
    async close() {
      stopping.abort();
      await informers.stopped();
      await client.close();
      await server.stop();
    },
  };
  await addNodes(cluster, nodes);
  return cluster;
}

async function embedded() {
  const plane = await startControlPlane();
  const controllers = await startControllers({
    client: plane.client,
    clock: systemClock,
    random: systemRandom,
    kinds: () => plane.api.registry.all(),
    onKindsChanged: (listener) => plane.api.registry.onChange(listener),
    ca: plane.ca,
    issueSecretToken: plane.issueSecretToken,
    autoscalerPeriodMs: 3_000,
  });
  return {
    access: await accessOf(parseKubeconfig(plane.kubeconfig(), '/kubeconfig'), { env: {} }),
    async stop() {
      await controllers.stop();
      await plane.close();
    },
  };
}

/** A new node has a taint until the controller has observed that it is ready. */
async function addNodes(cluster: Cluster, nodes: readonly KubeObject[]): Promise<void> {
  type Node = KubeObject & { spec?: { taints?: unknown[] } };
  const type = await cluster.typeOf('Node', 'v1');
  const informer = await cluster.informer(type);
  for (const node of nodes) await cluster.client.create(type, node).catch(unlessThere);
  for (const { metadata, spec } of nodes as readonly Node[]) {
    const settled = () => {
      const node = informer.get(metadata.name) as Node | undefined;
      return node && (node.spec?.taints?.length ?? 0) === (spec?.taints?.length ?? 0) ? true : undefined;
    };
    if (!(await within(20_000, settled))) throw new Error(`node ${metadata.name} does not lose its not-ready taint`);
  }
}

const bare = (kind: string, metadata: KubeObject['metadata']): KubeObject => ({ apiVersion: 'v1', kind, metadata });

const unlessThere = (error: unknown): void => {
  if (!isAlreadyExists(error)) throw error;
};

/** The result of `read`, once it has one; undefined after the timeout. */
export async function within<T>(ms: number, read: () => T | undefined): Promise<T | undefined> {
  const end = systemClock.now() + ms;
  for (;;) {
    const found = read();
    if (found !== undefined) return found;
    if (systemClock.now() >= end) return undefined;
    await sleep(systemClock, 20);
  }
}
