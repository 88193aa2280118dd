import type { ContainerFields, PodSpecFields, ResourceList } from '../fields/pod-spec.ts';
import { parseQuantity } from '../quantity.ts';
import { addResources, maxResources } from './resource-list.ts';
import { isPodLevel } from './resource-names.ts';

type Part = 'requests' | 'limits';

const isZero = (quantity: string): boolean => parseQuantity(quantity).digits === 0n;

/**
 * The maximum resources of the containers of a pod at one time. Regular containers and sidecars are summed; the other init containers run
 * one by one before them, each together with the sidecars that started before it.
 */
function ofContainers(spec: PodSpecFields, part: Part): ResourceList {
  const own = (container: ContainerFields): ResourceList => container.resources?.[part] ?? {};
  let together: ResourceList = {};
  for (const container of spec.containers ?? []) together = addResources(together, own(container));
  let sidecars: ResourceList = {};
  let starting: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      together = addResources(together, own(container));
      sidecars = addResources(sidecars, own(container));
      starting = maxResources(starting, sidecars);
    } else starting = maxResources(starting, addResources(own(container), sidecars));
  }
  return maxResources(together, starting);
}

export const containerRequests = (spec: PodSpecFields): ResourceList => ofContainers(spec, 'requests');
export const containerLimits = (spec: PodSpecFields): ResourceList => ofContainers(spec, 'limits');

const ofWholePod = (spec: PodSpecFields, part: Part): ResourceList =>
  Object.fromEntries(Object.entries(spec.resources?.[part] ?? {}).filter(([name]) => isPodLevel(name)));

/** The resources that a pod takes from its node: its pod-level resources if set, plus its overhead. */
export const podRequests = (spec: PodSpecFields): ResourceList =>
  addResources({ ...containerRequests(spec), ...ofWholePod(spec, 'requests') }, spec.overhead);

export function podLimits(spec: PodSpecFields): ResourceList {
  const limits = { ...containerLimits(spec), ...ofWholePod(spec, 'limits') };
  const limited = Object.entries(spec.overhead ?? {}).filter(([name]) => limits[name] && !isZero(limits[name]));
  return addResources(limits, Object.fromEntries(limited));
}

/** The same without overhead, as checked by limit ranges. */
export const podAsk = (spec: PodSpecFields, part: Part): ResourceList => {
  const whole = Object.entries(spec.resources?.[part] ?? {}).filter(([name]) => name === 'cpu' || name === 'memory');
  return { ...ofContainers(spec, part), ...Object.fromEntries(whole) };
};
