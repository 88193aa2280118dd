import { dns1123Subdomain, fieldError, qualifiedName } from '@fairlead/apimachinery';
import { isV6, legacyAddress, parseAddress } from '../../cluster/address.ts';
import { type Findings, idNumber, immutable, invalid, oneOf } from '../checks.ts';
import type { Leniency } from '../pod-spec/leniency.ts';
import type { Container, ContainerStatus, PodCondition, PodSpec, PodStatus } from '../pod-spec/types.ts';
import { claimStatuses, extendedClaimStatus } from './claim-status.ts';
import type { CompletePod } from './pod.ts';
import { annotationUpdate } from './update.ts';

const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

export function* podStatusUpdate(pod: CompletePod, old: CompletePod, leniency: Leniency): Findings {
  const { status } = pod;
  yield* annotationUpdate(pod, old, leniency);
  yield* conditions(status.conditions ?? [], 'status.conditions');
  yield* nominatedNode(status, old);
  if ((status.observedGeneration ?? 0) < 0) {
    yield fieldError.invalid('status.observedGeneration', status.observedGeneration, 'must be a non-negative integer');
  }
  yield* immutable(status.qosClass ?? '', old.status.qosClass ?? '', 'status.qosClass');
  for (const list of lists) yield* stayTerminated(status[list], old.status[list], old.spec, list);
  yield* claimStatuses(pod);
  yield* extendedClaimStatus(pod);
  yield* addresses('podIPs', status, old.status);
  yield* hostAddresses(status, old.status);
  for (const list of lists) yield* containerUsers(status[list], pod.spec, `status.${list}`);
  yield* resourceHealth(status.containerStatuses, pod.spec.containers, 'status.containerStatuses');
  yield* resourceHealth(status.initContainerStatuses, pod.spec.initContainers, 'status.initContainerStatuses');
  for (const [index, each] of (status.ephemeralContainerStatuses ?? []).entries()) {
    if (!each.allocatedResourcesStatus?.length) continue;
    const field = `status.ephemeralContainerStatuses[${index}].allocatedResourcesStatus`;
    yield fieldError.forbidden(field, 'must not be specified in container status');
  }
}

function* conditions(list: readonly PodCondition[], path: string): Findings {
  for (const [index, { type = '', observedGeneration = 0 }] of list.entries()) {
    if (observedGeneration < 0) {
      const field = `${path}[${index}].observedGeneration`;
      yield fieldError.invalid(field, observedGeneration, 'must be a non-negative integer');
    }
    yield* invalid(`${path}[${index}].Type`, type, qualifiedName(type));
  }
}

function* nominatedNode({ nominatedNodeName: now }: PodStatus, old: CompletePod): Findings {
  if (!now || now === old.status.nominatedNodeName) return;
  yield* invalid('status.nominatedNodeName', now, dns1123Subdomain(now));
  if (old.spec.nodeName) {
    yield fieldError.forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node');
  }
}

/** A terminated container can run again only if its restart policy permits it. */
function* stayTerminated(
  now: readonly ContainerStatus[] | undefined,
  before: readonly ContainerStatus[] | undefined,
  spec: PodSpec,
  list: (typeof lists)[number],
): Findings {
  const containers =
    list === 'containerStatuses' ? spec.containers : list === 'initContainerStatuses' ? spec.initContainers : [];
  if (list !== 'ephemeralContainerStatuses' && allMayRestart(spec)) return;
  for (const [index, old] of (before ?? []).entries()) {
    const ended = old.state?.terminated;
    if (!ended) continue;
    const again = (now ?? []).find((each) => each.name === old.name && !each.state?.terminated);
    if (!again) continue;
    const container = (containers ?? []).find((each) => each.name === old.name);
    if (container && mayRestart(container, spec, ended.exitCode ?? 0)) continue;
    yield fieldError.forbidden(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state');
  }
}

const allMayRestart = (spec: PodSpec): boolean =>
  [...(spec.containers ?? []), ...(spec.initContainers ?? [])].some((container) =>
    container.restartPolicyRules?.some((rule) => rule.action === 'RestartAllContainers'),
  );

/** The rules of the container first, then its policy, then that of the pod. */
export function mayRestart(container: Container, spec: PodSpec, exitCode: number): boolean {
  for (const { action, exitCodes } of container.restartPolicyRules ?? []) {
    const listed = (exitCodes?.values ?? []).includes(exitCode);
    const matches = exitCodes?.operator === 'In' ? listed : exitCodes?.operator === 'NotIn' && !listed;
    if (matches && action === 'Restart') return true;
  }
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function* addresses(list: 'podIPs' | 'hostIPs', status: PodStatus, old: PodStatus): Findings {
  const given = (status[list] ?? []).map(({ ip = '' }) => ip);
  const kept = (old[list] ?? []).map(({ ip = '' }) => ip);
  for (const [index, ip] of given.entries()) yield* legacyAddress(`status.${list}[${index}]`, ip, kept);
  if (given.length < 2) return;
  const unknown = given.findIndex((ip) => !parseAddress(ip));
  if (unknown >= 0) {
    const detail = `failed to check for dual stack with error:invalid IP[${unknown}]: ${given[unknown]} [${given.join(' ')}]`;
    yield fieldError.internal(`status.${list}`, detail);
  }
  const families = new Set(given.map((ip) => isV6(ip)));
  if (families.size < 2 || given.length > 2) {
    const detail = 'may specify no more than one IP for each IP family';
    yield fieldError.invalid(
      `status.${list}`,
      given.map((ip) => ({ IP: ip })),
      detail,
    );
  }
}

function* hostAddresses(status: PodStatus, old: PodStatus): Findings {
  const first = status.hostIPs?.[0];
  if (!first) return;
  if ((status.hostIP ?? '') !== (first.ip ?? '')) {
    yield fieldError.invalid('status.hostIPs[0].ip', first.ip ?? '', 'must be equal to `hostIP`');
  }
  yield* addresses('hostIPs', status, old);
}

function* containerUsers(list: readonly ContainerStatus[] | undefined, spec: PodSpec, path: string): Findings {
  for (const [index, { user }] of (list ?? []).entries()) {
    const at = `${path}[${index}].user.linux`;
    if (!user?.linux) continue;
    if (spec.os?.name === 'windows') yield fieldError.forbidden(at, 'cannot be set for a windows pod');
    else {
      yield* idNumber(user.linux.uid, `${at}.uid`);
      yield* idNumber(user.linux.gid, `${at}.gid`);
      for (const [group, id] of (user.linux.supplementalGroups ?? []).entries()) {
        yield* idNumber(id, `${at}.supplementalGroups[${group}]`);
      }
    }
  }
}

function* resourceHealth(
  list: readonly ContainerStatus[] | undefined,
  containers: readonly Container[] | undefined,
  path: string,
): Findings {
  for (const [index, status] of (list ?? []).entries()) {
    const container = (containers ?? []).find((each) => each.name === status.name);
    for (const [which, { name = '', resources }] of (status.allocatedResourcesStatus ?? []).entries()) {
      const at = `${path}[${index}].allocatedResourcesStatus[${which}]`;
      if (container) yield* knownResource(name, container, `${at}.name`);
      const seen = new Set<string>();
      for (const [item, { resourceID = '', health = '', message }] of (resources ?? []).entries()) {
        const field = `${at}.resources[${item}]`;
        yield* oneOf(health, ['Healthy', 'Unhealthy', 'Unknown'], `${field}.health`);
        if (message === '') yield fieldError.required(`${field}.message`, 'must be non-empty if specified');
        if (seen.has(resourceID)) yield fieldError.duplicate(`${field}.resourceID`, resourceID);
        seen.add(resourceID);
      }
    }
  }
}

function* knownResource(name: string, { resources }: Container, path: string): Findings {
  if (name.startsWith('claim:')) {
    const claims = (resources?.claims ?? []).map(
      (each) => `claim:${each.name}${each.request ? `/${each.request}` : ''}`,
    );
    if (claims.includes(name)) return;
    const detail =
      "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
    yield fieldError.invalid(path, name, detail);
  } else if (!(name in (resources?.requests ?? {}))) {
    yield fieldError.invalid(path, name, "must match one of the container's resource requests");
  }
}
