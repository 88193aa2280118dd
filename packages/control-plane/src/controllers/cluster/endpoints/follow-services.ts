import { keyOf, podType, serviceType } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import type { ControllerParts } from '../../parts.ts';
import type { Pod } from '../objects.ts';
import { indexPods, podsSelected } from '../pods-by-labels.ts';
import { SelectorIndex } from '../selector-index.ts';
import { isSameEndpoint } from './pod-endpoint.ts';
import { type Service, selectsPods } from './service.ts';

export interface FollowedServices {
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;
  /** The pods that a Service selects, by name. */
  podsOf(service: Service): Pod[];
}

/** Calls `enqueue` with the key of a Service whenever the Service, or a pod that it selects, changes. */
export function followServices({ informers }: ControllerParts, enqueue: (key: string) => void): FollowedServices {
  const services = informers.informer<Service>(serviceType);
  const pods = indexPods(informers.informer<Pod>(podType));
  const index = new SelectorIndex();
  const setService = (service: Service): void => {
    const key = keyOf(service);
    const { selector } = service.spec;
    if (selector && selectsPods(service)) {
      const pairs = Object.entries(selector);
      const matches = (labels: Readonly<Record<string, string>>) =>
        pairs.every(([name, value]) => labels[name] === value);
      index.set(key, service.metadata.namespace ?? '', selector, matches);
    } else index.delete(key);
    enqueue(key);
  };
  services.addHandler({
    onAdd: setService,
    onUpdate: (_old, service) => setService(service),
    onDelete: (service) => {
      index.delete(keyOf(service));
      enqueue(keyOf(service));
    },
  });
  const enqueueServicesOf = ({ metadata }: Pod): void => {
    for (const key of index.selecting(metadata.namespace ?? '', metadata.labels)) enqueue(key);
  };
  pods.addHandler({
    onAdd: enqueueServicesOf,
    onUpdate: (old, pod) => {
      if (isSameEndpoint(old, pod)) return;
      enqueueServicesOf(old);
      enqueueServicesOf(pod);
    },
    onDelete: enqueueServicesOf,
  });
  return {
    services,
    pods,
    podsOf: ({ metadata, spec }) =>
      podsSelected(pods, metadata.namespace ?? '', { matchLabels: spec.selector ?? {} }).sort((a, b) =>
        a.metadata.name < b.metadata.name ? -1 : 1,
      ),
  };
}
