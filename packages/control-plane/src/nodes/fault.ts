import type { LabelSelector } from '@fairlead/apimachinery';
import { type KubeObject, selectorFromObject } from '@fairlead/apimachinery';

export type FaultKind = 'crash-loop' | 'slow-pull' | 'node-down' | 'never-ready' | 'api-latency' | 'api-error';

/** A fault is an object: it can be read, changed and deleted like any other, and there are no faults without one. */
export interface Fault extends KubeObject {
  spec: {
    kind: FaultKind;
    /** The affected pods or nodes, by labels; absent: all. */
    selector?: LabelSelector;
    namespaces?: string[];
    /** The probability of each occurrence; 1 by default. */
    probability?: number;
    /** Start and end; absent: from its creation, unlimited. */
    window?: { start?: string; end?: string };
    /** slow-pull: how many times slower; api-latency: milliseconds; api-error: the code. */
    factor?: number;
    latencyMs?: number;
    code?: number;
  };
}

export interface FaultTarget {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The active fault of a kind for this target, if any. `draw` decides if the probability is below 1. */
export function strikingFault(
  faults: Iterable<Fault>,
  kind: FaultKind,
  target: FaultTarget,
  now: number,
  draw: () => number,
): Fault | undefined {
  for (const fault of faults) {
    const { spec } = fault;
    if (spec.kind !== kind || !isActive(fault, now)) continue;
    if (spec.namespaces && !spec.namespaces.includes(target.namespace ?? '')) continue;
    if (!selectorFromObject(spec.selector).matches(target.labels)) continue;
    const probability = spec.probability ?? 1;
    if (probability < 1 && draw() >= probability) continue;
    return fault;
  }
  return undefined;
}

export function isActive({ spec }: Fault, now: number): boolean {
  const { start, end } = spec.window ?? {};
  return (!start || now >= Date.parse(start)) && (!end || now < Date.parse(end));
}
