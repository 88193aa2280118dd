import { dns1123Subdomain, type FieldError, fieldError } from '@fairlead/apimachinery';
import { type Findings, invalid } from '../checks.ts';
import type { Leniency } from './leniency.ts';
import type { PodSpec, WindowsOptions } from './types.ts';
import { everyContainerAt } from './visit.ts';

export function* windowsOptions(options: WindowsOptions | undefined, path: string): Findings {
  if (!options) return;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (name != null) yield* invalid(`${path}.gmsaCredentialSpecName`, name, dns1123Subdomain(name));
  if (spec === '') {
    yield fieldError.invalid(`${path}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string');
  } else if (spec != null && Buffer.byteLength(spec) > 64 * 1024) {
    yield fieldError.invalid(`${path}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec size must be under 64 KiB');
  }
  if (user != null) yield* invalid(`${path}.runAsUserName`, user, userName(user));
}

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsName = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const controlCharacter = /\p{Cc}/u;

function userName(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (controlCharacter.test(name)) return ['runAsUserName cannot contain control characters'];
  const [user = '', domain, ...rest] = name.split('\\').reverse();
  if (rest.length > 0) return ['runAsUserName cannot contain more than one backslash'];
  const messages: string[] = [];
  if (domain !== undefined) {
    if (domain.length >= 256) messages.push("runAsUserName's Domain length must be under 256 characters");
    if (!netBios.test(domain) && !dnsName.test(domain)) {
      messages.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user === '') messages.push("runAsUserName's User cannot be empty");
  else if (user.length > 104) messages.push("runAsUserName's User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) messages.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    messages.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return messages;
}

/** Host processes: all containers of a pod or none, on the host network, and only if privileged pods are permitted. */
export function* hostProcess(spec: PodSpec, path: string, leniency: Leniency): Findings {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let processes = 0;
  for (const [container, at] of everyContainerAt(spec, path)) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    containers += 1;
    if (ofPod != null && own != null && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      yield fieldError.invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, detail);
    }
    if (own ?? ofPod) processes += 1;
  }
  if (processes === 0) return;
  if (processes !== containers) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    yield fieldError.invalid(path, '', detail);
  }
  if (!spec.hostNetwork) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    yield fieldError.invalid(`${path}.hostNetwork`, false, detail);
  }
  if (!leniency.allowPrivileged) {
    yield fieldError.forbidden(path, 'hostProcess containers are disallowed by cluster policy');
  }
}

const podFieldsOfLinux = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'] as const;
const podContextOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const containerContextOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** Fields of another operating system cannot be set if the pod specifies its own. */
export function* forOperatingSystem(spec: PodSpec, path: string): Findings {
  const contexts = [...everyContainerAt(spec, path)].map(
    ([each, at]) => [each.securityContext, `${at}.securityContext`] as const,
  );
  if (spec.os?.name === 'linux') {
    for (const [context, at] of [[spec.securityContext, `${path}.securityContext`] as const, ...contexts]) {
      if (context?.windowsOptions) {
        yield fieldError.forbidden(`${at}.windowsOptions`, 'windows options cannot be set for a linux pod');
      }
    }
    return;
  }
  const refused = (at: string): FieldError => fieldError.forbidden(at, 'cannot be set for a windows pod');
  for (const field of podContextOfLinux) {
    if (spec.securityContext?.[field] != null) yield refused(`${path}.securityContext.${field}`);
  }
  for (const field of podFieldsOfLinux) {
    const value = spec[field];
    if (value === true || (value === false && field !== 'hostPID' && field !== 'hostIPC'))
      yield refused(`${path}.${field}`);
  }
  for (const [context, at] of contexts) {
    for (const field of containerContextOfLinux) if (context?.[field] != null) yield refused(`${at}.${field}`);
  }
}
