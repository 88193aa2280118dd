import type { ContainerFields, PodFields, PodSpecFields, PodStatus } from '../fields/pod-spec.ts';
import { containerLimits, containerRequests } from '../resources/pod-resources.ts';
import { isHugePages, isPodLevel, mayOvercommit } from '../resources/resource-names.ts';
import { defaultPodSpec, dropInitContainerAnnotations } from './pod-spec.ts';

export function defaultPod(pod: PodFields): void {
  const spec = (pod.spec ??= {});
  const status = (pod.status ??= {});
  dropInitContainerAnnotations(pod.metadata);
  defaultPodSpec(spec);
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const container of containers) defaultRequests(container);
  defaultPodResources(spec);
  spec.enableServiceLinks ??= true;
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (spec.hostNetwork) for (const container of containers) defaultHostPorts(container);
  mirrorPodIp(status);
}

/** The request defaults to the limit: in a pod, not in a template. */
function defaultRequests({ resources }: ContainerFields): void {
  if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
}

function defaultPodResources(spec: PodSpecFields): void {
  const whole = spec.resources;
  if (!whole || (!size(whole.limits) && !size(whole.requests))) return;
  const limits = { ...whole.limits };
  for (const [name, total] of Object.entries(containerLimits(spec))) {
    if (isHugePages(name) && !(name in (whole.requests ?? {}))) limits[name] ??= total;
  }
  if (size(limits)) whole.limits = limits;
  if (!size(whole.limits)) return;

  const requests = { ...whole.requests };
  for (const [name, total] of Object.entries(containerRequests(spec))) {
    if (isPodLevel(name) && mayOvercommit(name)) requests[name] ??= total;
  }
  for (const [name, limit] of Object.entries(limits)) if (isPodLevel(name)) requests[name] ??= limit;
  if (size(requests)) whole.requests = requests;
}

const size = (list: object | undefined): number => Object.keys(list ?? {}).length;

function defaultHostPorts(container: ContainerFields): void {
  for (const port of container.ports ?? []) {
    const number = port.hostPort || port.containerPort;
    if (number) port.hostPort = number;
  }
}

/** `podIP` is the first of `podIPs`; if both are given and differ, the old field wins. */
function mirrorPodIp(status: PodStatus): void {
  if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  const first = status.podIPs?.[0]?.ip;
  if (first) status.podIP = first;
}
