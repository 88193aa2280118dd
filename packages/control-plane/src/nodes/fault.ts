import type { LabelSelector } from '@fairlead/apimachinery';
import { type KubeObject, selectorFromObject } from '@fairlead/apimachinery';

export type FaultKind = 'crash-loop' | 'slow-pull' | 'node-down' | 'never-ready' | 'api-latency' | 'api-error';

/** A fault is an object: it can be seen, changed and deleted like any other, and nothing misbehaves without one. */
export interface Fault extends KubeObject {
  spec: {
    kind: FaultKind;
    /** Pods or nodes that it is about, by labels; absent: all. */
    selector?: LabelSelector;
    namespaces?: string[];
    /** Of each occasion; 1 unless given. */
    probability?: number;
    /** From when to when; absent: from its creation on, unlimited. */
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

/** The fault of a kind that strikes this target now, if one does. `draw` decides where the probability is below 1. */
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
