import type { ContainerFields, EnvVar, Handler, Probe } from '../fields/pod-spec.ts';
import { pullPolicyFor } from '../resources/image-tag.ts';
import { roundUpRequirements } from '../resources/resource-list.ts';

export function defaultContainer(container: ContainerFields): void {
  container.resources ??= {};
  roundUpRequirements(container.resources);
  container.imagePullPolicy ||= pullPolicyFor(container.image);
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const variable of container.env ?? []) defaultEnv(variable);
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
    if (probe) defaultProbe(probe);
  }
  for (const hook of [container.lifecycle?.postStart, container.lifecycle?.preStop]) if (hook) defaultHandler(hook);
}

function defaultEnv({ valueFrom }: EnvVar): void {
  if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ||= 'v1';
  if (valueFrom?.resourceFieldRef) valueFrom.resourceFieldRef.divisor ??= '0';
  if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false;
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.grpc) probe.grpc.service ??= '';
  defaultHandler(probe);
}

function defaultHandler({ httpGet }: Handler): void {
  if (!httpGet) return;
  httpGet.path ||= '/';
  httpGet.scheme ||= 'HTTP';
}
