import { resolveAmount } from '../amounts.ts';
import type { DaemonSet, Node, Pod } from '../kinds.ts';
import { isDeleted, isReady } from '../pods.ts';
import { hashLabel } from './daemon-pods.ts';
import { nodeFit } from './node-fit.ts';

export interface DaemonView {
  readonly set: DaemonSet;
  /** The revision that pods should have. */
  readonly hash: string;
  readonly nodes: readonly Node[];
  readonly pods: ReadonlyMap<string, readonly Pod[]>;
  isAvailable(pod: Pod): boolean;
  /** The remaining back-off of a failed pod on a node; undefined: none. */
  backoffOf(node: string): number | undefined;
}

export interface DaemonPlan {
  /** Names of the nodes that get a pod. */
  readonly create: string[];
  readonly delete: Pod[];
  readonly events: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }[];
  requeueAfterMs?: number;
}

export const emptyPlan = (): DaemonPlan => ({ create: [], delete: [], events: [] });

export function allowsSurge({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec.updateStrategy;
  return type === 'RollingUpdate' && resolveAmount(rollingUpdate?.maxSurge, 1, 'up') > 0;
}

/** The nodes that need a pod and the pods to delete, regardless of their revision. */
export function planPlaces(view: DaemonView): DaemonPlan {
  const plan = emptyPlan();
  for (const node of view.nodes) planNode(view, node, plan);
  const known = new Set(view.nodes.map(({ metadata }) => metadata.name));
  for (const [name, pods] of view.pods) {
    // Pods for a deleted node would stay pending forever; those that ran there are deleted by the pod collector.
    if (!known.has(name)) plan.delete.push(...pods.filter(({ spec }) => !spec.nodeName));
  }
  return plan;
}

function planNode(view: DaemonView, node: Node, plan: DaemonPlan): void {
  const { name } = node.metadata;
  const { run, stay } = nodeFit(view.set, node);
  const there = view.pods.get(name);
  const lasting = (there ?? []).filter((pod) => !isDeleted(pod));
  if (run && !there) plan.create.push(name);
  else if (!stay) plan.delete.push(...lasting);
  else {
    const running = lasting.filter((pod) => !dismissFinished(view, name, pod, plan));
    if (!allowsSurge(view.set)) plan.delete.push(...running.slice(1));
    else if (running.length === 0 && run) plan.create.push(name);
    else if (running.length > 1) settleSurge(view, running, plan);
  }
}

function dismissFinished(view: DaemonView, node: string, pod: Pod, plan: DaemonPlan): boolean {
  const { phase } = pod.status ?? {};
  const { namespace, name } = pod.metadata;
  if (phase === 'Failed') {
    const wait = view.backoffOf(node);
    if (wait !== undefined) {
      plan.requeueAfterMs = Math.min(wait, plan.requeueAfterMs ?? wait);
      return true;
    }
    const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`;
    plan.events.push({ type: 'Warning', reason: 'FailedDaemonPod', message });
  } else if (phase === 'Succeeded') {
    const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`;
    plan.events.push({ type: 'Normal', reason: 'SucceededDaemonPod', message });
  } else return false;
  plan.delete.push(pod);
  return true;
}

/** Two pods may share a node only while the new one is not available yet and the old one is. */
function settleSurge({ hash, isAvailable }: DaemonView, running: readonly Pod[], plan: DaemonPlan): void {
  const [current, ...spareNew] = running.filter(({ metadata }) => metadata.labels?.[hashLabel] === hash);
  const [old, ...spareOld] = running.filter(({ metadata }) => metadata.labels?.[hashLabel] !== hash);
  plan.delete.push(...spareNew, ...spareOld);
  if (current && old && (!isReady(old) || isAvailable(current))) plan.delete.push(old);
}
