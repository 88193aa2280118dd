import { uidOf } from '@fairlead/apimachinery';
import { isFinished, isReady, type Pod } from '../objects.ts';
import type { Service, ServicePort } from './service.ts';

/** A port of a Service on a pod; undefined if the pod has no port of that name. */
export function portOn(pod: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  const desired = targetPort ?? port;
  if (typeof desired === 'number') return desired;
  const lasting = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  for (const container of [...(pod.spec.containers ?? []), ...lasting]) {
    const found = container.ports?.find((each) => each.name === desired && (each.protocol ?? 'TCP') === protocol);
    if (found) return found.containerPort;
  }
  return undefined;
}

/** Whether a pod is an endpoint of its Services at all; a terminating one only if requested. */
export function isEndpoint(pod: Pod, withTerminating: boolean): boolean {
  if (isFinished(pod) || addressesOf(pod).length === 0) return false;
  return withTerminating || !pod.metadata.deletionTimestamp;
}

export const addressesOf = ({ status }: Pod): string[] =>
  status?.podIPs?.length ? status.podIPs.flatMap(({ ip }) => ip ?? []) : status?.podIP ? [status.podIP] : [];

/** A pod in the subdomain of the Service has its hostname there. */
export const hostnameIn = ({ metadata }: Service, pod: Pod): string | undefined =>
  pod.spec.hostname && pod.spec.subdomain === metadata.name && pod.metadata.namespace === metadata.namespace
    ? pod.spec.hostname
    : undefined;

export const referenceTo = (pod: Pod) => ({
  kind: 'Pod',
  namespace: pod.metadata.namespace ?? '',
  name: pod.metadata.name,
  uid: uidOf(pod),
});

/** Whether a field has changed that endpoints contain. */
export const isSameEndpoint = (old: Pod, pod: Pod): boolean =>
  isReady(old) === isReady(pod) &&
  isFinished(old) === isFinished(pod) &&
  old.metadata.deletionTimestamp === pod.metadata.deletionTimestamp &&
  old.spec.nodeName === pod.spec.nodeName &&
  addressesOf(old).join() === addressesOf(pod).join() &&
  JSON.stringify(old.metadata.labels) === JSON.stringify(pod.metadata.labels);
