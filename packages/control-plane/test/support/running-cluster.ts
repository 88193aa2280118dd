import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { eventType, nodeType, podType } from '@fairlead/apimachinery';
import { type ApiClient, systemRandom } from '@fairlead/kube';
import { type ControlPlane, startControlPlane } from '../../src/control-plane.ts';
import type { Node, Pod } from '../../src/controllers/cluster/objects.ts';
import { startControllers } from '../../src/controllers/index.ts';
import { scaledClock } from '../../src/scaled-clock.ts';

/** An API server in memory with all controllers, for tests of the running controllers. */
export interface RunningCluster {
  readonly plane: ControlPlane;
  readonly client: ApiClient;
  node(name: string, more?: { labels?: Record<string, string>; allocatable?: Record<string, string> }): Promise<Node>;
  pod(name: string, spec?: object, metadata?: object): Promise<Pod>;
  /** The object once the condition is true; throws after a timeout. */
  until<T extends KubeObject>(
    type: ResourceType,
    key: { namespace?: string; name: string },
    holds: (object: T | undefined) => boolean,
  ): Promise<T | undefined>;
  eventsOf(name: string): Promise<string[]>;
  stop(): Promise<void>;
}

const patienceMs = 10_000;

export async function startCluster(): Promise<RunningCluster> {
  // Delays of seconds are shortened to a fraction.
  const clock = scaledClock(20);
  const plane = await startControlPlane({ serviceAccountAdmission: false, clock });
  const controllers = await startControllers({
    client: plane.client,
    clock,
    random: systemRandom,
    kinds: () => plane.api.registry.all(),
    onKindsChanged: (listener) => plane.api.registry.onChange(listener),
    ca: plane.ca,
    issueSecretToken: plane.issueSecretToken,
  });
  const client = plane.client('test');
  const read = async <T extends KubeObject>(type: ResourceType, key: { namespace?: string; name: string }) => {
    try {
      return await client.get<T>(type, key);
    } catch {
      return undefined;
    }
  };
  const cluster: RunningCluster = {
    plane,
    client,
    async node(name, { labels = {}, allocatable = {} } = {}) {
      const resources = { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '100Gi', ...allocatable };
      const node = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
        status: {
          capacity: resources,
          allocatable: resources,
          conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' }],
        },
      };
      await client.create(nodeType, node as KubeObject);
      return (await cluster.until<Node>(nodeType, { name }, (made) => made !== undefined && !made.spec?.taints))!;
    },
    pod: (name, spec = {}, metadata = {}) =>
      client.create<Pod>(podType, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', ...metadata },
        spec: { containers: [{ name: 'c', image: 'a:1' }], ...spec },
      } as unknown as Pod),
    async until<T extends KubeObject>(
      type: ResourceType,
      key: { namespace?: string; name: string },
      holds: (object: T | undefined) => boolean,
    ) {
      const end = Date.now() + patienceMs;
      for (;;) {
        const object = await read<T>(type, key);
        if (holds(object)) return object;
        if (Date.now() > end) throw new Error(`${type.kind} ${key.name} did not come to it: ${JSON.stringify(object)}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async eventsOf(name) {
      const { items } = await client.list(eventType);
      return (items as unknown as { involvedObject: { name: string }; reason: string; message: string }[])
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ reason, message }) => `${reason}: ${message}`);
    },
    async stop() {
      await controllers.stop();
      await plane.close();
    },
  };
  return cluster;
}
