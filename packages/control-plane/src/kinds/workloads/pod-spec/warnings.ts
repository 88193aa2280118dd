import { labelValue } from '@fairlead/apimachinery';
import { addressWarnings } from '../../cluster/address.ts';
import { deprecatedNodeLabel } from '../../cluster/deprecated-node-labels.ts';
import { same } from '../equality.ts';
import { appArmorPrefix, seccompPod, seccompPrefix } from './annotations.ts';
import { appArmorFromAnnotation } from './app-armor.ts';
import type { Container, EnvVar, NodeSelectorTerm, PodAffinity, PodSpec, TemplateMeta } from './types.ts';
import { everyContainerAt } from './visit.ts';
import { fraction } from './warnings-fractions.ts';
import { portWarnings } from './warnings-ports.ts';
import { volumeWarnings } from './warnings-volumes.ts';

type Warnings = Iterable<string>;

/** `prefix` is the path of the template (`spec.template.`), and empty for a pod. */
export function* podWarnings(spec: PodSpec, metadata: TemplateMeta, prefix: string): Warnings {
  const path = `${prefix}spec`;
  yield* nodeLabels(spec, path);
  for (const [key, message] of deprecatedAnnotations) {
    if (metadata.annotations?.[key] !== undefined) yield `${prefix}metadata.annotations[${key}]: ${message}`;
  }
  yield* volumeWarnings(spec.volumes ?? [], `${path}.volumes`);
  yield* repeated(spec.hostAliases ?? [], 'ip', `${path}.hostAliases`);
  yield* repeated(spec.imagePullSecrets ?? [], 'name', `${path}.imagePullSecrets`);
  for (const [index, { name }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!name) yield `${path}.imagePullSecrets[${index}].name: invalid empty name ""`;
  }
  for (const name of byteResources) yield* fraction(spec.overhead, name, `${path}.overhead`);
  if (!spec.securityContext?.seccompProfile && metadata.annotations?.[seccompPod] !== undefined) {
    yield `${prefix}metadata.annotations[${seccompPod}]: ${seccompIsAField}`;
  }
  for (const [container, at] of everyContainerAt(spec, path)) {
    yield* profileAnnotations(container, spec, metadata, prefix);
    for (const name of byteResources) {
      yield* fraction(container.resources?.limits, name, `${at}.resources.limits`);
      yield* fraction(container.resources?.requests, name, `${at}.resources.requests`);
    }
    yield* hiddenVariables(container.env ?? [], `${at}.env`);
  }
  yield* portWarnings(spec, path);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    yield `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`;
  }
  yield* selectorless(spec.affinity?.podAffinity, `${path}.affinity.podAffinity`);
  yield* selectorless(spec.affinity?.podAntiAffinity, `${path}.affinity.podAntiAffinity`);
  for (const [index, server] of (spec.dnsConfig?.nameservers ?? []).entries()) {
    yield* addressWarnings(`${path}.dnsConfig.nameservers[${index}]`, server);
  }
  for (const [index, { ip }] of (spec.hostAliases ?? []).entries()) {
    yield* addressWarnings(`${path}.hostAliases[${index}].ip`, ip ?? '');
  }
}

const seccompIsAField = 'non-functional in v1.27+; use the "seccompProfile" field instead';

const deprecatedAnnotations = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;

function* nodeLabels(spec: PodSpec, path: string): Warnings {
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const message = deprecatedNodeLabel(key);
    if (message) yield `${path}.nodeSelector[${key}]: ${message}`;
  }
  const affinity = spec.affinity?.nodeAffinity;
  const at = `${path}.affinity.nodeAffinity`;
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const [index, term] of required.entries()) {
    const where = `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`;
    yield* nodeSelectorTermWarnings(term, where, false);
  }
  for (const [index, { preference }] of (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const where = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
    yield* nodeSelectorTermWarnings(preference ?? {}, where, true);
  }
  for (const [index, { topologyKey = '', labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const where = `${path}.topologySpreadConstraints[${index}]`;
    const message = deprecatedNodeLabel(topologyKey);
    if (message) yield `${where}.topologyKey: ${topologyKey} is ${message}`;
    if (!labelSelector) yield `${where}.labelSelector: ${matchesNone}`;
  }
}

const matchesNone = 'a null labelSelector results in matching no pod';

export function* nodeSelectorTermWarnings(term: NodeSelectorTerm, path: string, checkValues: boolean): Warnings {
  for (const [index, { key = '', values }] of (term.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    const message = deprecatedNodeLabel(key);
    if (message) yield `${at}.key: ${key} is ${message}`;
    if (!checkValues) continue;
    for (const [which, value] of (values ?? []).entries()) {
      for (const wrong of labelValue(value)) yield `${at}.values[${which}]: ${value} is invalid, ${wrong}`;
    }
  }
}

function* repeated<K extends string>(list: readonly Partial<Record<K, unknown>>[], key: K, path: string): Warnings {
  const seen = new Set<unknown>();
  for (const [index, item] of list.entries()) {
    const value = item[key] ?? '';
    if (seen.has(value)) yield `${path}[${index}].${key}: duplicate ${key} ${JSON.stringify(value)}`;
    seen.add(value);
  }
}

const byteResources = ['memory', 'ephemeral-storage'];

function* profileAnnotations(container: Container, spec: PodSpec, metadata: TemplateMeta, prefix: string): Warnings {
  const context = container.securityContext;
  const seccomp = seccompPrefix + container.name;
  if (!context?.seccompProfile && metadata.annotations?.[seccomp] !== undefined) {
    yield `${prefix}metadata.annotations[${seccomp}]: ${seccompIsAField}`;
  }
  // For a pod this warning is given when its annotation is converted to a field.
  if (prefix === '' || context?.appArmorProfile) return;
  const key = appArmorPrefix + container.name;
  const annotation = metadata.annotations?.[key];
  const ofPod = spec.securityContext?.appArmorProfile;
  if (annotation !== undefined && (!ofPod || !same(ofPod, appArmorFromAnnotation(annotation)))) {
    yield `${prefix}metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;
  }
}

/** A second definition of a variable is valid only if it refers to the first. */
function* hiddenVariables(variables: readonly EnvVar[], path: string): Warnings {
  const seen = new Set<string>();
  for (const [index, { name = '', value = '', valueFrom }] of variables.entries()) {
    const reference = `$(${name})`;
    if (seen.has(name) && (valueFrom || value === reference || !value.includes(reference))) {
      yield `${path}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    }
    seen.add(name);
  }
}

function* selectorless(affinity: PodAffinity | undefined, path: string): Warnings {
  for (const [index, term] of (affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    if (term.labelSelector) continue;
    yield `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${matchesNone}`;
  }
  for (const [index, each] of (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    if (each.podAffinityTerm?.labelSelector) continue;
    const where = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`;
    yield `${where}.labelSelector: ${matchesNone}`;
  }
}
