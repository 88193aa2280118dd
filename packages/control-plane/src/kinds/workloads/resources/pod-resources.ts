import type { Container, PodSpec, ResourceList } from '../pod-spec/types.ts';
import { isPodLevel } from './names.ts';
import { add, isZeroQuantity, larger } from './resource-list.ts';

type Part = 'requests' | 'limits';

/**
 * What the containers of a pod need at most at one time. Regular containers and those init containers that keep running add
 * up; the others run one by one before them, each beside the sidecars that started before it.
 */
function ofContainers(spec: PodSpec, part: Part): ResourceList {
  const own = (container: Container): ResourceList => container.resources?.[part] ?? {};
  let together: ResourceList = {};
  for (const container of spec.containers ?? []) together = add(together, own(container));
  let sidecars: ResourceList = {};
  let starting: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      together = add(together, own(container));
      sidecars = add(sidecars, own(container));
      starting = larger(starting, sidecars);
    } else starting = larger(starting, add(own(container), sidecars));
  }
  return larger(together, starting);
}

export const containerRequests = (spec: PodSpec): ResourceList => ofContainers(spec, 'requests');
export const containerLimits = (spec: PodSpec): ResourceList => ofContainers(spec, 'limits');

const ofWholePod = (spec: PodSpec, part: Part): ResourceList =>
  Object.fromEntries(Object.entries(spec.resources?.[part] ?? {}).filter(([name]) => isPodLevel(name)));

/** What a pod takes from its node: what it asks for as a whole where it does, and what running it costs besides. */
export const podRequests = (spec: PodSpec): ResourceList =>
  add({ ...containerRequests(spec), ...ofWholePod(spec, 'requests') }, spec.overhead);

export function podLimits(spec: PodSpec): ResourceList {
  const limits = { ...containerLimits(spec), ...ofWholePod(spec, 'limits') };
  const limited = Object.entries(spec.overhead ?? {}).filter(([name]) => limits[name] && !isZeroQuantity(limits[name]));
  return add(limits, Object.fromEntries(limited));
}

/** The same without overhead: what limit ranges look at. */
export const podAsk = (spec: PodSpec, part: Part): ResourceList => {
  const whole = Object.entries(spec.resources?.[part] ?? {}).filter(([name]) => name === 'cpu' || name === 'memory');
  return { ...ofContainers(spec, part), ...Object.fromEntries(whole) };
};
