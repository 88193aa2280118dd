import { isHugePages, labelValue, validateLabelSelector } from '@fairlead/apimachinery';
import { isMultipleOf } from '../resources/resource-list.ts';
import { matchLabelKeys } from './affinity.ts';
import { volumeFilePath } from './paths.ts';
import { hostSysctl } from './security-context.ts';
import type { PodAffinityTerm, PodSpec } from './types.ts';
import { everyContainer } from './visit.ts';

/**
 * Invalid values that are accepted because the object had them before the rule existed: an update must not fail on unchanged fields. On
 * create nothing is accepted.
 */
export interface Leniency {
  /** The spec is of a pod and not of a template. */
  readonly isPod?: boolean;
  /** A setting of the server, off by default. */
  readonly allowPrivileged?: boolean;
  readonly deletionCost?: boolean;
  readonly brokenHugePages?: boolean;
  readonly selectorValues?: boolean;
  readonly requiredNodeAffinityValues?: boolean;
  readonly spreadSelector?: boolean;
  readonly spreadMatchLabelKeys?: boolean;
  readonly tokenPath?: boolean;
  readonly hostSysctls?: boolean;
  readonly anySelinuxChangePolicy?: boolean;
  readonly tolerationComparison?: boolean;
  readonly hostNetworkWithUserNamespace?: boolean;
  readonly devicesWithUserNamespace?: boolean;
  readonly restartingInitResize?: boolean;
}

export const strict: Leniency = {};

export function leniencyFor(old: PodSpec | undefined, annotations: Record<string, string> | undefined): Leniency {
  if (!old) return strict;
  const spread = old.topologySpreadConstraints ?? [];
  return {
    deletionCost: !validDeletionCost(annotations),
    brokenHugePages: hasBrokenHugePages(old),
    selectorValues: affinityTerms(old).some(hasInvalidValue),
    requiredNodeAffinityValues: hasInvalidNodeValue(old),
    spreadSelector: spread.some((each) => validateLabelSelector(each.labelSelector, '').length > 0),
    spreadMatchLabelKeys: spread.some((each) => some(matchLabelKeys(each, ''))),
    tokenPath: tokenPaths(old).some((path) => some(volumeFilePath(path, ''))),
    hostSysctls: (old.securityContext?.sysctls ?? []).some(({ name }) => some(hostSysctl(name ?? '', old, ''))),
    anySelinuxChangePolicy: old.securityContext?.seLinuxChangePolicy != null,
    tolerationComparison: (old.tolerations ?? []).some(({ operator }) => operator === 'Lt' || operator === 'Gt'),
    hostNetworkWithUserNamespace: old.hostUsers === false && old.hostNetwork === true,
    devicesWithUserNamespace:
      old.hostUsers === false && [...everyContainer(old)].some((each) => (each.volumeDevices ?? []).length > 0),
    restartingInitResize: (old.initContainers ?? []).some(
      (each) =>
        each.restartPolicy !== 'Always' && each.resizePolicy?.some((rule) => rule.restartPolicy === 'RestartContainer'),
    ),
  };
}

const some = (findings: Iterable<unknown>): boolean => !findings[Symbol.iterator]().next().done;

/** `controller.kubernetes.io/pod-deletion-cost`: a 32-bit integer without a plus sign or leading zeros. */
export function validDeletionCost(annotations: Record<string, string> | undefined): boolean {
  const cost = annotations?.['controller.kubernetes.io/pod-deletion-cost'];
  if (cost === undefined) return true;
  return /^(0|-?[1-9]\d*)$/.test(cost) && Number(cost) >= -2147483648 && Number(cost) <= 2147483647;
}

function hasBrokenHugePages(spec: PodSpec): boolean {
  const lists = [...everyContainer(spec)].flatMap(({ resources }) => [resources?.limits, resources?.requests]);
  return [...lists, spec.overhead].some((list) =>
    Object.entries(list ?? {}).some(
      ([name, value]) => isHugePages(name) && !isMultipleOf(value, name.slice('hugepages-'.length)),
    ),
  );
}

export function affinityTerms(spec: PodSpec): PodAffinityTerm[] {
  return [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => each.podAffinityTerm ?? {}),
  ]);
}

const hasInvalidValue = (term: PodAffinityTerm): boolean =>
  [term.labelSelector, term.namespaceSelector].some((selector) =>
    selector?.matchExpressions?.some((each) => each.values?.some((value) => labelValue(value).length > 0)),
  );

function hasInvalidNodeValue(spec: PodSpec): boolean {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (required?.nodeSelectorTerms ?? []).some((term) =>
    term.matchExpressions?.some((each) => each.values?.some((value) => labelValue(value).length > 0)),
  );
}

const tokenPaths = (spec: PodSpec): string[] =>
  (spec.volumes ?? [])
    .flatMap((volume) => volume.projected?.sources ?? [])
    .flatMap(({ serviceAccountToken }) => (serviceAccountToken ? [serviceAccountToken.path ?? ''] : []));
