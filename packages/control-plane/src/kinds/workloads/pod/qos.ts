import { addResources } from '@fairlead/apimachinery';
import type { PodSpec, ResourceList } from '../pod-spec/types.ts';
import { compare, isPositive } from '../resources/resource-list.ts';

const computed = ['cpu', 'memory'];

/** The QoS class of a pod, from its requests and limits. */
export function qosClass(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const parts = spec.resources
    ? [spec.resources]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((each) => each.resources ?? {});
  const requests = sumOf(parts.map((each) => each.requests));
  const limits = sumOf(parts.map((each) => each.limits));
  if (Object.keys(requests).length === 0 && Object.keys(limits).length === 0) return 'BestEffort';

  const allLimited = parts.every(
    (each) =>
      (spec.resources && !Object.keys(each.limits ?? {}).length) ||
      computed.every((name) => isPositive(each.limits?.[name] ?? '0')),
  );
  const equal = Object.entries(requests).every(([name, value]) => limits[name] && compare(limits[name], value) === 0);
  const guaranteed = allLimited && equal && Object.keys(requests).length === Object.keys(limits).length;
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function sumOf(lists: readonly (ResourceList | undefined)[]): ResourceList {
  let sum: ResourceList = {};
  for (const list of lists) {
    const counted = Object.entries(list ?? {}).filter(
      ([name, amount]) => computed.includes(name) && isPositive(amount),
    );
    sum = addResources(sum, Object.fromEntries(counted));
  }
  return sum;
}
