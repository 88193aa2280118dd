import type { Node, NodeCondition } from '../objects.ts';

/** A node without a heartbeat for this long is marked unknown. */
export const heartbeatGraceMs = 50_000;

const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node without heartbeats. */
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

/** When the last heartbeat of each node arrived, by the clock of the controller: timestamps of the node are not trusted. */
export class Heartbeats {
  readonly #received = new Map<string, { sign: string; at: number }>();

  /** `sign` changes with a heartbeat. The same value again is not a heartbeat. */
  record(node: string, sign: string, now: number): void {
    if (this.#received.get(node)?.sign !== sign) this.#received.set(node, { sign, at: now });
  }

  forget(node: string): void {
    this.#received.delete(node);
  }

  /** Undefined: no heartbeat was ever received. */
  lastHeartbeat(node: string): number | undefined {
    return this.#received.get(node)?.at;
  }
}
