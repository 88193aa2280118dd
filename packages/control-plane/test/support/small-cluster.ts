import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { formatTime, namespaceType, nodeType, podType } from '@fairlead/apimachinery';
import { type ApiClient, InformerFactory, silentLogger } from '@fairlead/kube';
import { settle, VirtualClock } from '@fairlead/sim';
import { createEventWriter } from '../../src/controllers/event-writer.ts';
import type { ControllerParts } from '../../src/controllers/parts.ts';
import { workloadControllers } from '../../src/controllers/workloads/index.ts';
import type { Node, Pod } from '../../src/controllers/workloads/kinds.ts';
import { startControlPlane } from '../../src/index.ts';

/** For tests: an API server in process, the workload controllers, and a scripted kubelet, in virtual time. */
export class SmallCluster {
  readonly clock: VirtualClock;
  readonly client: ApiClient;
  readonly #plane: Awaited<ReturnType<typeof startControlPlane>>;
  #stop: () => Promise<void> = async () => {};

  private constructor(clock: VirtualClock, plane: Awaited<ReturnType<typeof startControlPlane>>) {
    this.clock = clock;
    this.#plane = plane;
    this.client = plane.client('test');
  }

  static async start(): Promise<SmallCluster> {
    const clock = new VirtualClock();
    const cluster = new SmallCluster(clock, await startControlPlane({ clock, serviceAccountAdmission: false }));
    cluster.startControllers();
    return cluster;
  }

  startControllers(): void {
    const { clock } = this;
    const client = (manager: string) => this.#plane.client(manager);
    const stopping = new AbortController();
    const informers = new InformerFactory(client('kube-controller-manager'), { clock });
    const parts: ControllerParts = {
      client,
      informers,
      clock,
      random: () => 0.5,
      log: silentLogger,
      events: (component) => createEventWriter(client(component), clock, silentLogger, { component }),
      kinds: () => [],
      onKindsChanged: () => {},
      ca: '',
    };
    const runnables = workloadControllers.flatMap((make) => make(parts));
    informers.start(stopping.signal);
    const running = runnables.map((runnable) => runnable.run(stopping.signal));
    this.#stop = async () => {
      stopping.abort();
      await Promise.all([...running, informers.stopped()]);
    };
  }

  async stopControllers(): Promise<void> {
    await this.#stop();
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.#plane.close();
  }

  async namespace(name: string, labels: Record<string, string> = {}): Promise<string> {
    await this.client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    return name;
  }

  async node(name: string, labels: Record<string, string> = {}): Promise<void> {
    const spec: Node['spec'] = {};
    await this.client.create<Node>(nodeType, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec });
    // The action of the node controller once the node is ready.
    await this.client.patch(nodeType, { name }, 'merge', { spec: { taints: null } });
  }

  create<T extends KubeObject>(type: ResourceType, namespace: string, name: string, spec: object): Promise<T> {
    const apiVersion = type.group ? `${type.group}/${type.version}` : type.version;
    const object = { apiVersion, kind: type.kind, metadata: { name, namespace }, spec };
    return this.client.create(type, object as unknown as T);
  }

  async list<T extends KubeObject>(type: ResourceType, namespace: string): Promise<T[]> {
    return [...(await this.client.list<T>(type, { namespace })).items];
  }

  /** Advances the time, and runs everything that is due. */
  async rest(ms = 500): Promise<void> {
    await this.clock.advance(ms);
    await settle();
  }

  /** Sets the phase of the matching pods, and finishes terminating ones, until nothing changes. */
  async kubelet(namespace: string, phaseOf: (pod: Pod) => string | undefined = () => 'Running'): Promise<void> {
    for (let changed = true; changed; ) {
      await this.rest();
      changed = false;
      for (const pod of await this.list<Pod>(podType, namespace)) {
        const phase = phaseOf(pod);
        if (pod.metadata.deletionTimestamp) {
          await this.client.delete(podType, pod.metadata, { gracePeriodSeconds: 0 }).catch(() => {});
        } else if (phase !== undefined && pod.status?.phase !== phase) await this.setPhase(pod, phase);
        else continue;
        changed = true;
      }
    }
    await this.rest();
  }

  async setPhase(pod: Pod, phase: string): Promise<void> {
    const { namespace, name } = pod.metadata;
    if (!pod.spec.nodeName) {
      const target = { kind: 'Node', name: 'node-1' };
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { namespace: namespace!, name }, target };
      await this.client.create(podType, binding, { subresource: 'binding' });
    }
    const time = formatTime(this.clock.now());
    const ready = phase === 'Running';
    const ended = { terminated: { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: time } };
    const status = {
      phase,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: time }],
      containerStatuses: pod.spec.containers.map((container) => ({
        name: container.name,
        image: 'x',
        imageID: '',
        ready,
        restartCount: 0,
        state: ready ? { running: { startedAt: time } } : ended,
      })),
    };
    await this.client.patch(podType, pod.metadata, 'merge', { status }, { subresource: 'status' });
  }
}
