import type { Node, NodeCondition } from '../objects.ts';

/** A node is given up when nothing was heard of it for so long. */
export const heartbeatGraceMs = 50_000;

const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node that has fallen silent. */
export function silentConditions(node: Node, now: string): NodeCondition[] {
  const conditions = [...(node.status?.conditions ?? [])];
  for (const type of reported) {
    const at = conditions.findIndex((condition) => condition.type === type);
    const before = conditions[at];
    if (!before) {
      conditions.push({
        type,
        status: 'Unknown',
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
        lastHeartbeatTime: node.metadata.creationTimestamp ?? null,
        lastTransitionTime: now,
      });
    } else if (before.status !== 'Unknown') {
      conditions[at] = {
        ...before,
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
        lastTransitionTime: now,
      };
    }
  }
  return conditions;
}

/** When each node was last heard of, by its own clock of arrivals: what a node says about time is not relied on. */
export class Heartbeats {
  readonly #heard = new Map<string, { sign: string; at: number }>();

  /** `sign` is whatever changes with a heartbeat. The same sign again is silence. */
  hear(node: string, sign: string, now: number): void {
    if (this.#heard.get(node)?.sign !== sign) this.#heard.set(node, { sign, at: now });
  }

  forget(node: string): void {
    this.#heard.delete(node);
  }

  /** Undefined: nothing was ever heard of it. */
  lastHeard(node: string): number | undefined {
    return this.#heard.get(node)?.at;
  }
}
