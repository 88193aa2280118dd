import { milliValue, podRequests, quantityValue } from '@fairlead/apimachinery';
import type { PodSpec, ResourceList } from '../../../kinds/workloads/pod-spec/types.ts';

/** Amounts of resources as numbers: thousandths of a CPU, bytes, and whole units of anything else. */
export interface Amounts {
  readonly cpu: number;
  readonly memory: number;
  readonly storage: number;
  readonly others: ReadonlyMap<string, number>;
}

const none: ReadonlyMap<string, number> = new Map();
/** The assumed usage of a container without requests, for scoring. */
const usualCpu = 100;
const usualMemory = 200 * 1024 * 1024;

/** The same few texts occur in every pod. */
function remembered(read: (text: string) => number): (text: string | undefined) => number {
  const known = new Map<string, number>();
  return (text) => {
    if (text === undefined) return 0;
    let value = known.get(text);
    if (value === undefined) {
      value = read(text);
      if (known.size > 10_000) known.clear();
      known.set(text, value);
    }
    return value;
  };
}

const thousandths = remembered(milliValue);
const units = remembered(quantityValue);
const named = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods', 'storage']);

export function amountsOf(list: ResourceList | undefined): Amounts {
  const others = Object.entries(list ?? {}).filter(([name]) => !named.has(name));
  return {
    cpu: thousandths(list?.['cpu']),
    memory: units(list?.['memory']),
    storage: units(list?.['ephemeral-storage']),
    others: others.length === 0 ? none : new Map(others.map(([name, amount]) => [name, units(amount)])),
  };
}

export const podsAllowed = (allocatable: ResourceList | undefined): number => units(allocatable?.['pods']);

export const requestsOf = (spec: PodSpec): Amounts => amountsOf(podRequests(spec));

/** The assumed usage of a pod for scoring: a pod without requests still counts. */
export function weightOf(spec: PodSpec, requests: Amounts): { cpu: number; memory: number } {
  let { cpu, memory } = requests;
  if (spec.resources?.requests?.['cpu'] && spec.resources.requests['memory']) return { cpu, memory };
  for (const container of spec.containers ?? []) {
    if (container.resources?.requests?.['cpu'] === undefined) cpu += usualCpu;
    if (container.resources?.requests?.['memory'] === undefined) memory += usualMemory;
  }
  return { cpu, memory };
}
