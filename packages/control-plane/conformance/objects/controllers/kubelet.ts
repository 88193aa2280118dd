import { isConflict, isNotFound, type JsonObject, type KubeObject, parseLabelSelector } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import { type Cluster, within } from './cluster.ts';
import type { NamespaceView } from './namespace-view.ts';

interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

interface State {
  readonly phase: string;
  readonly conditions: readonly Condition[];
  readonly container: JsonObject;
}

export type KubeletStates = Readonly<Record<string, State>>;

export interface KubeletStep {
  readonly state: string;
  readonly count: number;
  readonly selector?: string;
  readonly name?: string;
  readonly image?: string;
  readonly index?: number;
  readonly phase?: string;
  readonly ip?: string;
  readonly exitCode?: number;
  readonly restartCount?: number;
}

type Pod = KubeObject & {
  spec: { nodeName?: string; restartPolicy?: string; containers: { name: string; image: string }[] };
  status?: { phase?: string; conditions?: Condition[]; startTime?: string; podIP?: string };
};

/** Simulates the kubelets of a namespace by writing the status of its pods. */
export class ScriptedKubelet {
  readonly #cluster: Pick<Cluster, 'client' | 'typeOf' | 'informer'>;
  readonly #states: KubeletStates;
  readonly #view: NamespaceView;
  /** The last state of each pod, by uid. */
  readonly #stateOf = new Map<string, string>();
  #addresses = 0;
  #auto = false;
  #busy = false;

  constructor(cluster: Pick<Cluster, 'client' | 'typeOf' | 'informer'>, states: KubeletStates, view: NamespaceView) {
    this.#cluster = cluster;
    this.#states = states;
    this.#view = view;
    view.onChange(() => void this.#runAll());
  }

  stop(): void {
    this.#auto = false;
  }

  async take(step: KubeletStep | 'auto' | 'off'): Promise<void> {
    if (step === 'auto' || step === 'off') {
      this.#auto = step === 'auto';
      await this.#runAll();
      return;
    }
    const pods = await this.#pods();
    const waiting = () => this.#view.oldestFirst(pods).filter((pod) => this.#awaits(pod as Pod, step)) as Pod[];
    const found = await within(30_000, () => (waiting().length >= step.count ? waiting() : undefined));
    if (!found)
      throw new Error(`no ${step.count} such pods; there are ${describe(this.#view.oldestFirst(pods) as Pod[])}`);
    for (const pod of found.slice(0, step.count)) {
      if (step.state === 'gone') await this.#finish(pod);
      else await this.#write(pod, step.state, step);
    }
  }

  #awaits(pod: Pod, step: KubeletStep): boolean {
    const { metadata, spec, status } = pod;
    const index = metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
    if (step.name !== undefined && metadata.name !== step.name) return false;
    if (step.image !== undefined && spec.containers[0]?.image !== step.image) return false;
    if (step.index !== undefined && index !== String(step.index)) return false;
    if (step.phase !== undefined && status?.phase !== step.phase) return false;
    if (!parseLabelSelector(step.selector ?? '').matches(metadata.labels)) return false;
    const terminating = metadata.deletionTimestamp !== undefined;
    if (step.state === 'gone') return terminating;
    return !terminating && spec.nodeName !== undefined && this.#stateOf.get(metadata.uid!) !== step.state;
  }

  /** In `auto`: every pod with a node runs or has succeeded, every terminating one is finished. */
  async #runAll(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const pods = await this.#pods();
    for (let again = this.#auto; again && this.#auto; ) {
      again = false;
      for (const pod of this.#view.oldestFirst(pods) as Pod[]) {
        const state = pod.spec.restartPolicy === 'Always' ? 'ready' : 'succeeded';
        const known = this.#stateOf.get(pod.metadata.uid!);
        const desired = pod.metadata.deletionTimestamp ? 'gone' : pod.spec.nodeName ? state : known;
        if (known === desired || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') continue;
        this.#stateOf.set(pod.metadata.uid!, desired!);
        again = true;
        await (desired === 'gone' ? this.#finish(pod) : this.#write(pod, state));
      }
    }
    this.#busy = false;
  }

  async #finish(pod: Pod): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    const type = await this.#cluster.typeOf('Pod', 'v1');
    const options = { gracePeriodSeconds: 0, preconditions: { uid: uid! } };
    await this.#cluster.client.delete(type, { namespace: namespace!, name }, options).catch((error) => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
    const pods = await this.#pods();
    await within(5_000, () => (pods.get(`${namespace}/${name}`)?.metadata.uid === uid ? undefined : true));
  }

  async #write(seen: Pod, name: string, step: Partial<KubeletStep> = {}): Promise<void> {
    const type = await this.#cluster.typeOf('Pod', 'v1');
    const state = this.#states[name];
    if (!state) throw new Error(`there is no state ${name}`);
    this.#stateOf.set(seen.metadata.uid!, name);
    const ip = step.ip ?? seen.status?.podIP ?? `10.1.0.${(this.#addresses += 1)}`;
    for (;;) {
      const pod = await this.#cluster.client.get<Pod>(type, seen.metadata);
      try {
        await this.#cluster.client.replace(type, { ...pod, status: statusOf(pod, state, ip, step) } as Pod, {
          subresource: 'status',
        });
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  async #pods(): Promise<Informer> {
    return this.#cluster.informer(await this.#cluster.typeOf('Pod', 'v1'));
  }
}

function statusOf(pod: Pod, state: State, ip: string, step: Partial<KubeletStep>): object {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const filled = (text: string, image: string) =>
    text
      .replaceAll('<now>', now)
      .replaceAll('<image>', image)
      .replaceAll('<containers>', pod.spec.containers.map(({ name }) => name).join(' '));
  const known = new Map((pod.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  for (const condition of state.conditions) {
    const before = known.get(condition.type);
    const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime! : now;
    const message = condition.message === undefined ? {} : { message: filled(condition.message, '') };
    known.set(condition.type, { ...condition, ...message, lastTransitionTime });
  }
  return {
    ...pod.status,
    phase: state.phase,
    conditions: [...known.values()],
    hostIP: '192.168.0.1',
    hostIPs: [{ ip: '192.168.0.1' }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: pod.status?.startTime ?? now,
    containerStatuses: pod.spec.containers.map(({ name, image }) =>
      containerStatus(JSON.parse(filled(JSON.stringify(state.container), image)) as JsonObject, name, image, step),
    ),
  };
}

function containerStatus(given: JsonObject, name: string, image: string, step: Partial<KubeletStep>): JsonObject {
  const status: JsonObject = { name, image, imageID: '', ...given };
  if (step.restartCount !== undefined) status['restartCount'] = step.restartCount;
  const terminated = (status['state'] as { terminated?: JsonObject }).terminated;
  if (terminated && step.exitCode !== undefined) terminated['exitCode'] = step.exitCode;
  return status;
}

const describe = (pods: readonly Pod[]): string =>
  pods
    .map(
      ({ metadata, spec, status }) =>
        `${metadata.name} on ${spec.nodeName} ${status?.phase} ${metadata.deletionTimestamp ?? ''}`,
    )
    .join(', ') || 'none';
