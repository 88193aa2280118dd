import { isNotFound } from '@fairlead/apimachinery';
import type { ControllerParts, MakeController, Runnable } from '../../parts.ts';
import type { Pod } from '../objects.ts';
import { bindVolumes, reserveVolumes } from './bind-volumes.ts';
import { bind, evictVictims, reportRefusal, type Writer } from './carry-out.ts';
import { type Decision, NodeChooser } from './choose-node.ts';
import { type FollowedCluster, followCluster, schedulerName } from './follow-cluster.ts';
import { RememberedRefusals } from './remembered-refusals.ts';
import { SchedulingQueue } from './scheduling-queue.ts';
import type { VolumePlan } from './volume-view.ts';

/** More pending writes than this delay the next decision. */
const mostWrites = 256;
/** This many decisions are made before yielding. */
const decisionsAtOnce = 16;

/**
 * Assigns every pending pod to a node. One pod is decided at a time, with a snapshot of the cluster that includes all earlier decisions;
 * the writes run in parallel.
 */
class Scheduler implements Runnable {
  readonly #queue: SchedulingQueue;
  readonly #cluster: FollowedCluster;
  readonly #chooser: NodeChooser;
  readonly #writer: Writer;
  readonly #refusals = new RememberedRefusals();
  readonly #writes = new Set<Promise<void>>();
  #wake = () => {};
  #written = () => {};
  #signal!: AbortSignal;

  constructor(parts: ControllerParts) {
    const { clock, log } = parts;
    this.#queue = new SchedulingQueue(clock, () => this.#wake());
    this.#cluster = followCluster(parts, this.#queue);
    this.#chooser = new NodeChooser(parts.random);
    this.#writer = { client: parts.client('kube-scheduler'), clock, log, record: parts.events(schedulerName) };
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const stop = () => this.#wake();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#cluster.waitForSync(signal);
      for (let count = 1; !signal.aborted; count += 1) {
        const key = this.#queue.take();
        if (key === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
        else this.#schedule(key);
        if (this.#writes.size >= mostWrites) await new Promise<void>((resolve) => (this.#written = resolve));
        else if (count % decisionsAtOnce === 0) await new Promise(setImmediate);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#queue.stop();
      signal.removeEventListener('abort', stop);
    }
    await Promise.all(this.#writes);
  }

  #schedule(key: string): void {
    const pod = this.#cluster.pods.get(key);
    if (!pod || pod.spec.nodeName || pod.metadata.deletionTimestamp) return this.#queue.remove(key);
    const { state } = this.#cluster;
    const decision = this.#refusals.recall(pod, state.version) ?? this.#chooser.choose(pod, this.#cluster);
    if (decision.kind === 'place') return this.#place(key, pod, decision.node);
    this.#refusals.remember(pod, state.version, decision);
    this.#queue.refused(key, decision.by);
    this.#track(this.#refuse(pod, decision));
  }

  /** The pod counts as placed from here on for later decisions. */
  #place(key: string, pod: Pod, node: string): void {
    const { state, volumes, promised } = this.#cluster;
    const plan = reserveVolumes(pod, state.node(node)!.node, volumes, promised);
    state.setPod(pod, node);
    this.#track(this.#bind(key, pod, node, plan));
  }

  async #bind(key: string, pod: Pod, node: string, plan: VolumePlan | undefined): Promise<void> {
    try {
      if (plan) {
        const { claims, promised } = this.#cluster;
        await bindVolumes(plan, node, { ...this.#writer, claims, promised }, this.#signal);
      }
      await bind(this.#writer, pod, node);
    } catch (error) {
      if (this.#signal.aborted) return;
      if (this.#cluster.state.placed(key)?.pod.metadata.uid === pod.metadata.uid) this.#cluster.state.removePod(key);
      this.#queue.happened('pod-removed');
      if (isNotFound(error)) return this.#queue.remove(key);
      this.#writer.log.warn('a pod could not be bound', { error, pod: key, node });
      this.#queue.failed(key);
    }
  }

  async #refuse(pod: Pod, decision: Decision & { kind: 'refuse' }): Promise<void> {
    const { preemption } = decision;
    await reportRefusal(this.#writer, pod, decision.message, preemption?.node);
    if (preemption) await evictVictims(this.#writer, pod, preemption.node, preemption.victims);
  }

  #track(write: Promise<void>): void {
    this.#writes.add(write);
    void write.finally(() => {
      this.#writes.delete(write);
      this.#written();
    });
  }
}

export const scheduler: MakeController = (parts) => new Scheduler(parts);
