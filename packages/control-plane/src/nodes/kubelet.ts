import { isConflict, isNotFound, type JsonObject, keyOf, podType, uidOf } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import type { ImageStore } from './image-store.ts';
import { isTerminal, type Pod } from './pod.ts';
import { PodLife } from './pod-life.ts';
import { podStatus } from './pod-status.ts';

export interface KubeletParts {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly images: ImageStore;
  readonly node: { readonly name: string; readonly hostIP: string };
  allocateIP(): string;
  event(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string, container?: string): void;
  crashes(pod: Pod): boolean;
  neverReady(pod: Pod): boolean;
  readonly readyAtOnce?: boolean;
  /** A write that failed, and why; the kubelet retries. */
  problem(message: string, error: unknown): void;
}

interface Held {
  pod: Pod;
  readonly life: PodLife;
  readonly ip: string;
  writing: boolean;
  dirty: boolean;
  terminating: boolean;
}

/** How long a simulated container takes to stop. */
const stopMs = 150;
const retryMs = 500;

/** The kubelet of one simulated node: starts each pod that is bound to it, writes its status, and ends it. */
export class Kubelet {
  readonly #parts: KubeletParts;
  readonly #held = new Map<string, Held>();
  #down = false;
  #stopped = false;

  constructor(parts: KubeletParts) {
    this.#parts = parts;
  }

  get podCount(): number {
    return this.#held.size;
  }

  /** A pod of this node was added, changed, or is being deleted. */
  seen(pod: Pod): void {
    const uid = uidOf(pod);
    let held = this.#held.get(uid);
    if (!held) {
      if (isTerminal(pod.status?.phase)) {
        if (pod.metadata.deletionTimestamp) void this.#remove(pod);
        return;
      }
      if (this.#down) return;
      held = this.#take(pod);
    }
    held.pod = pod;
    if (pod.metadata.deletionTimestamp && !held.terminating) this.#terminate(held);
  }

  gone(pod: Pod): void {
    const held = this.#held.get(uidOf(pod));
    if (!held) return;
    this.#held.delete(uidOf(pod));
    held.terminating = true;
    if (!held.life.stopped) held.life.stop(137, 'Error');
  }

  /** The end of the simulation, or of the node: everything stops, and nothing is retried. */
  stop(): void {
    this.#stopped = true;
    this.#down = true;
    for (const { life } of this.#held.values()) if (!life.stopped) life.stop(137, 'Error');
  }

  /** A stopped node reports and starts nothing; the status of its pods is unchanged. */
  set down(value: boolean) {
    this.#down = value;
    if (!value) for (const held of this.#held.values()) this.#write(held);
  }

  #take(pod: Pod): Held {
    const uid = uidOf(pod);
    const ip = pod.status?.podIP ?? this.#parts.allocateIP();
    const life: PodLife = new PodLife(pod, {
      clock: this.#parts.clock,
      images: this.#parts.images,
      changed: () => {
        const held = this.#held.get(uid);
        if (held) this.#write(held);
      },
      event: (type, reason, message, container) => this.#parts.event(pod, type, reason, message, container),
      crashes: () => this.#parts.crashes(pod),
      neverReady: () => this.#parts.neverReady(pod),
      readyAtOnce: this.#parts.readyAtOnce ?? false,
    });
    const held: Held = { pod, life, ip, writing: false, dirty: false, terminating: false };
    this.#held.set(uid, held);
    life.begin().catch((error: unknown) => this.#parts.problem(`the life of pod ${keyOf(pod)} ended badly`, error));
    return held;
  }

  #terminate(held: Held): void {
    held.terminating = true;
    for (const { name } of held.pod.spec.containers) {
      this.#parts.event(held.pod, 'Normal', 'Killing', `Stopping container ${name}`, name);
    }
    const grace = (held.pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    this.#parts.clock.after(Math.min(stopMs, grace), () => {
      if (!held.life.stopped) held.life.stop(0, 'Completed');
      void this.#remove(held.pod);
    });
  }

  /** The final delete of a pod: nothing of it runs any more. */
  async #remove(pod: Pod): Promise<void> {
    try {
      await this.#parts.client.delete(podType, pod.metadata, {
        gracePeriodSeconds: 0,
        preconditions: { uid: uidOf(pod) },
      });
    } catch (error) {
      if (isNotFound(error) || isConflict(error) || this.#stopped) return;
      this.#parts.problem(`pod ${keyOf(pod)} could not be removed`, error);
      this.#parts.clock.after(retryMs, () => void this.#remove(pod));
    }
  }

  /** Writes the status a moment later, so that simultaneous changes are written together; never two at a time. */
  #write(held: Held): void {
    held.dirty = true;
    if (held.writing || this.#down) return;
    held.writing = true;
    this.#parts.clock.after(0, () => void this.#flush(held));
  }

  async #flush(held: Held): Promise<void> {
    const { client, clock, node } = this.#parts;
    while (held.dirty && !this.#down) {
      held.dirty = false;
      const status = podStatus(held.pod, held.life.run, { hostIP: node.hostIP, podIP: held.ip }, clock.now());
      try {
        const { name, namespace, uid } = held.pod.metadata;
        const body: JsonObject = { metadata: { uid: uid! }, status };
        held.pod = await client.patch(podType, { name, ...(namespace ? { namespace } : {}) }, 'merge', body, {
          subresource: 'status',
        });
      } catch (error) {
        if (isNotFound(error)) break;
        this.#parts.problem(`the status of pod ${keyOf(held.pod)} could not be written`, error);
        held.dirty = true;
        await new Promise<void>((resolve) => void clock.after(retryMs, resolve));
        if (!this.#held.has(uidOf(held.pod))) break;
      }
    }
    held.writing = false;
  }
}
