import {
  dns1123Label,
  dns1123Subdomain,
  fieldError,
  nameRules,
  type ObjectMeta,
  qualifiedName,
  validateLabels,
} from '@fairlead/apimachinery';
import { internalForm } from '../../internal-form.ts';
import { type Findings, inRange, invalid, maxInt32, oneOf, requiredOneOf } from '../checks.ts';
import { affinity } from './affinity.ts';
import { annotations, mirrorPod, podAnnotations, profilesAgree } from './annotations.ts';
import type { Surroundings } from './container.ts';
import { ephemeralContainers, initContainers, regularContainers } from './containers.ts';
import { dnsConfig, hostAliases, hostnameOverride } from './dns.ts';
import type { Leniency } from './leniency.ts';
import { podResources, requirements } from './resources.ts';
import { os, podSecurityContext } from './security-context.ts';
import { tolerations } from './tolerations.ts';
import { topologySpread } from './topology-spread.ts';
import type { PodResourceClaim, PodSpec, PodTemplateSpec } from './types.ts';
import { everyContainerAt } from './visit.ts';
import { checkVolumes } from './volumes.ts';
import { forOperatingSystem, hostProcess } from './windows.ts';

/** `pod` is set for pods only: the names of the pods of a template are not known. */
export function* podSpec(
  spec: PodSpec,
  path: string,
  leniency: Leniency,
  pod?: Pick<ObjectMeta, 'name' | 'annotations'>,
): Findings {
  if (spec.terminationGracePeriodSeconds == null) yield fieldError.required(`${path}.terminationGracePeriodSeconds`);
  const context = pod?.name === undefined ? { leniency } : { leniency, podName: pod.name };
  const { volumes, findings } = checkVolumes(spec.volumes ?? [], `${path}.volumes`, context);
  yield* findings;
  const claims = { names: (spec.resourceClaims ?? []).flatMap(({ name }) => (name ? [name] : [])) };
  if (pod?.annotations?.[mirrorPod] === undefined) {
    yield* resourceClaims(spec.resourceClaims ?? [], `${path}.resourceClaims`);
  } else {
    for (const _ of spec.resourceClaims ?? []) {
      yield fieldError.forbidden('', 'static pods do not support resource claims');
    }
  }
  const around: Surroundings = { spec, volumes, claims, leniency };
  yield* regularContainers(spec.containers ?? [], `${path}.containers`, around);
  yield* initContainers(spec.initContainers ?? [], `${path}.initContainers`, around);
  yield* ephemeralContainers(spec.ephemeralContainers ?? [], `${path}.ephemeralContainers`, around);
  yield* podResources(spec, `${path}.resources`, claims, leniency);
  yield* portsOnHostNetwork(spec, path, leniency);
  yield* requiredOneOf(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], `${path}.restartPolicy`);
  const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
  yield* requiredOneOf(spec.dnsPolicy, dnsPolicies, `${path}.dnsPolicy`);
  yield* validateLabels(spec.nodeSelector, `${path}.nodeSelector`);
  yield* podSecurityContext(spec, `${path}.securityContext`, leniency);
  yield* affinity(spec.affinity, `${path}.affinity`, leniency);
  yield* dnsConfig(spec, `${path}.dnsConfig`);
  yield* gates(spec, path);
  yield* topologySpread(spec.topologySpreadConstraints ?? [], `${path}.topologySpreadConstraints`, leniency);
  yield* hostProcess(spec, path, leniency);
  yield* userNamespace(spec, path, leniency);
  yield* hostnameOverride(spec, `${path}.hostnameOverride`);
  yield* names(spec, path);
  yield* tolerations(spec.tolerations ?? [], `${path}.tolerations`, leniency);
  yield* hostAliases(spec, `${path}.hostAliases`);
  yield* references(spec, path);
  if (spec.overhead) yield* requirements({ limits: spec.overhead }, `${path}.overhead`, { names: [] }, leniency);
  const wrongOs = [...os(spec, `${path}.os`)];
  yield* wrongOs;
  if (spec.os && wrongOs.length === 0) yield* forOperatingSystem(spec, path);
  yield* filesForEnv(spec, path);
}

/** A template: its labels and annotations, and the spec of its pods. */
export function* podTemplate(template: PodTemplateSpec, path: string, leniency: Leniency): Findings {
  const spec = template.spec ?? {};
  const given = template.metadata?.annotations;
  yield* validateLabels(template.metadata?.labels, `${path}.labels`);
  yield* annotations(given, `${path}.annotations`);
  yield* podAnnotations(given, spec, `${path}.annotations`, leniency);
  yield* podSpec(spec, `${path}.spec`, leniency);
  yield* profilesAgree(given, spec, `${path}.spec`);
  if (spec.ephemeralContainers?.length) {
    yield fieldError.forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
  }
}

function* resourceClaims(claims: readonly PodResourceClaim[], path: string): Findings {
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const at = `${path}[${index}]`;
    const { name, resourceClaimName: direct, resourceClaimTemplateName: template } = claim;
    if (!name) yield fieldError.required(`${at}.name`);
    else if (seen.has(name)) yield fieldError.duplicate(`${at}.name`, name);
    else yield* invalid(`${at}.name`, name, dns1123Label(name));
    seen.add(name ?? '');
    const value = internalForm(claim, 'core.v1.PodResourceClaim');
    if (direct != null && template != null) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      yield fieldError.invalid(at, value, detail);
    }
    if (direct == null && template == null) {
      yield fieldError.invalid(at, value, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    }
    if (direct != null) yield* invalid(`${at}.resourceClaimName`, direct, dns1123Subdomain(direct));
    if (template != null) yield* invalid(`${at}.resourceClaimTemplateName`, template, dns1123Subdomain(template));
  }
}

/** With hostNetwork the container port is the host port. Templates may omit the latter: pods get it by default. */
function* portsOnHostNetwork(spec: PodSpec, path: string, leniency: Leniency): Findings {
  if (!spec.hostNetwork) return;
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [at, { hostPort = 0, containerPort = 0 }] of (container.ports ?? []).entries()) {
      if (hostPort === containerPort || (hostPort === 0 && !leniency.isPod)) continue;
      const field = `${path}.containers[${index}].ports[${at}].hostPort`;
      yield fieldError.invalid(field, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

function* gates(spec: PodSpec, path: string): Findings {
  for (const [index, { conditionType = '' }] of (spec.readinessGates ?? []).entries()) {
    yield* invalid(`${path}.readinessGates[${index}].conditionType`, conditionType, qualifiedName(conditionType));
  }
  const seen = new Set<string>();
  for (const [index, { name = '' }] of (spec.schedulingGates ?? []).entries()) {
    const at = `${path}.schedulingGates[${index}]`;
    yield* invalid(at, name, qualifiedName(name));
    if (seen.has(name)) yield fieldError.duplicate(at, name);
    seen.add(name);
  }
}

/** With a user namespace a pod cannot share the processes, memory or devices of the host. */
function* userNamespace(spec: PodSpec, path: string, leniency: Leniency): Findings {
  if (spec.hostUsers !== false) return;
  const detail = 'when `hostUsers` is false';
  if (spec.hostNetwork && !leniency.hostNetworkWithUserNamespace) {
    yield fieldError.forbidden(`${path}.hostNetwork`, detail);
  }
  if (spec.hostPID) yield fieldError.forbidden(`${path}.HostPID`, detail);
  if (spec.hostIPC) yield fieldError.forbidden(`${path}.HostIPC`, detail);
  if (leniency.devicesWithUserNamespace) return;
  for (const [container, at] of everyContainerAt(spec, path)) {
    if (container.volumeDevices?.length) yield fieldError.forbidden(`${at}.volumeDevices`, detail);
  }
}

function* names(spec: PodSpec, path: string): Findings {
  const { serviceAccountName: account, nodeName: node, hostname, subdomain } = spec;
  if (account) yield* invalid(`${path}.serviceAccountName`, account, nameRules.subdomain(account, false));
  if (node) yield* invalid(`${path}.nodeName`, node, nameRules.subdomain(node, false));
  yield* inRange(spec.activeDeadlineSeconds, 1, maxInt32, `${path}.activeDeadlineSeconds`);
  if (hostname) yield* invalid(`${path}.hostname`, hostname, dns1123Label(hostname));
  if (subdomain) yield* invalid(`${path}.subdomain`, subdomain, dns1123Label(subdomain));
}

function* references(spec: PodSpec, path: string): Findings {
  const { priorityClassName: priority, runtimeClassName: runtime } = spec;
  if (priority) yield* invalid(`${path}.priorityClassName`, priority, nameRules.subdomain(priority, false));
  if (runtime != null) yield* invalid(`${path}.runtimeClassName`, runtime, nameRules.subdomain(runtime, false));
  if (spec.preemptionPolicy === '') yield fieldError.required(`${path}.preemptionPolicy`);
  else yield* oneOf(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], `${path}.preemptionPolicy`);
}

/** Variables from a file: it can only be in an emptyDir volume. */
function* filesForEnv(spec: PodSpec, path: string): Findings {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]));
  for (const [container, at] of everyContainerAt(spec, path)) {
    for (const [index, { valueFrom }] of (container.env ?? []).entries()) {
      if (!valueFrom?.fileKeyRef) continue;
      const name = valueFrom.fileKeyRef.volumeName ?? '';
      const field = `${at}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      const volume = volumes.get(name);
      if (!volume) yield fieldError.notFound(field, name);
      else if (!volume.emptyDir) yield fieldError.invalid(field, name, 'referenced volume must be of type emptyDir');
    }
  }
}
