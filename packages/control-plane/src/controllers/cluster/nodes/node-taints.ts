import type { Taint } from '@fairlead/apimachinery';
import type { Node, NodeCondition } from '../objects.ts';

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const unschedulable = 'node.kubernetes.io/unschedulable';

/** The taint for a condition in a state. */
const taintOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: notReady, Unknown: unreachable },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
};
const managedKeys = new Set([unschedulable, ...Object.values(taintOf).flatMap((states) => Object.values(states))]);

export const nodeCondition = (node: Node, type: string): NodeCondition | undefined =>
  node.status?.conditions?.find((condition) => condition.type === type);

export const readiness = (node: Node): string | undefined => nodeCondition(node, 'Ready')?.status;

const isSame = (a: Taint, b: Pick<Taint, 'key' | 'effect'>): boolean => a.key === b.key && a.effect === b.effect;

/**
 * The taints of a node: its conditions prevent new pods, and a node that is not ready also evicts pods, unless no node is ready: then the
 * cause is more likely here. Undefined if they are up to date. Other taints are kept.
 */
export function nodeTaints(node: Node, allDown: boolean, now: string): Taint[] | undefined {
  const desired: Pick<Taint, 'key' | 'effect'>[] = [];
  for (const { type, status } of node.status?.conditions ?? []) {
    const key = taintOf[type]?.[status];
    if (key) desired.push({ key, effect: 'NoSchedule' });
  }
  if (node.spec?.unschedulable) desired.push({ key: unschedulable, effect: 'NoSchedule' });
  const ready = readiness(node);
  if (!allDown && ready === 'False') desired.push({ key: notReady, effect: 'NoExecute' });
  if (!allDown && ready === 'Unknown') desired.push({ key: unreachable, effect: 'NoExecute' });

  const isManaged = ({ key, effect }: Taint): boolean => {
    if (effect === 'NoSchedule') return managedKeys.has(key);
    // A node that has never reported a status keeps its taints.
    return effect === 'NoExecute' && (key === notReady || key === unreachable) && ready !== undefined;
  };
  const present = node.spec?.taints ?? [];
  const kept = present.filter((taint) => !isManaged(taint) || desired.some((each) => isSame(taint, each)));
  const added = desired.filter((each) => !present.some((taint) => isSame(taint, each)));
  if (kept.length === present.length && added.length === 0) return undefined;
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: now }))];
}
