import { fieldError } from '@fairlead/apimachinery';
import { internalForm } from '../../internal-form.ts';
import { type Findings, idNumber, oneOf, unsupported } from '../checks.ts';
import type { Leniency } from './leniency.ts';
import { appArmorProfile, seccompProfile } from './profiles.ts';
import type { PodSpec, SecurityContext } from './types.ts';
import { windowsOptions } from './windows.ts';

export function* securityContext(
  context: SecurityContext | undefined,
  spec: PodSpec,
  path: string,
  leniency: Leniency,
): Findings {
  if (!context) return;
  if (context.privileged && !leniency.allowPrivileged) {
    yield fieldError.forbidden(`${path}.privileged`, 'disallowed by cluster policy');
  }
  yield* idNumber(context.runAsUser, `${path}.runAsUser`);
  yield* idNumber(context.runAsGroup, `${path}.runAsGroup`);
  if (context.procMount != null) {
    yield* oneOf(context.procMount, ['Default', 'Unmasked'], `${path}.procMount`);
    if (context.procMount === 'Unmasked' && spec.hostUsers !== false) {
      yield fieldError.invalid(`${path}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`');
    }
  }
  yield* seccompProfile(context.seccompProfile, `${path}.seccompProfile`);
  if (context.allowPrivilegeEscalation === false) {
    const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
    const shown = internalForm(context, 'core.v1.SecurityContext');
    if (context.privileged) yield fieldError.invalid(path, shown, `${cannot} \`privileged\` to true`);
    for (const capability of context.capabilities?.add ?? []) {
      if (capability === 'CAP_SYS_ADMIN') {
        yield fieldError.invalid(path, shown, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`);
      }
    }
  }
  yield* windowsOptions(context.windowsOptions, `${path}.windowsOptions`);
  yield* appArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`);
}

export function* podSecurityContext(spec: PodSpec, path: string, leniency: Leniency): Findings {
  const context = spec.securityContext;
  if (!context) return;
  yield* idNumber(context.fsGroup, `${path}.fsGroup`);
  yield* idNumber(context.runAsUser, `${path}.runAsUser`);
  yield* idNumber(context.runAsGroup, `${path}.runAsGroup`);
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    yield* idNumber(group, `${path}.supplementalGroups[${index}]`);
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    yield fieldError.invalid(`${path}.shareProcessNamespace`, true, detail);
  }
  yield* sysctls(spec, `${path}.sysctls`, leniency);
  yield* oneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${path}.fsGroupChangePolicy`);
  yield* seccompProfile(context.seccompProfile, `${path}.seccompProfile`);
  yield* windowsOptions(context.windowsOptions, `${path}.windowsOptions`);
  yield* appArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`);
  yield* oneOf(context.supplementalGroupsPolicy, ['Merge', 'Strict'], `${path}.supplementalGroupsPolicy`);
  const policies = leniency.anySelinuxChangePolicy ? ['MountOption', 'Recursive'] : ['Recursive'];
  yield* oneOf(context.seLinuxChangePolicy, policies, `${path}.seLinuxChangePolicy`);
}

const sysctlPart = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlFormat = `^(${sysctlPart}[\\./])*${sysctlPart}$`;
const sysctlPattern = new RegExp(sysctlFormat);

function* sysctls(spec: PodSpec, path: string, leniency: Leniency): Findings {
  const seen = new Set<string>();
  for (const [index, { name = '' }] of (spec.securityContext?.sysctls ?? []).entries()) {
    const at = `${path}[${index}].name`;
    if (!name) yield fieldError.required(at);
    else if (name.length > 253 || !sysctlPattern.test(name)) {
      yield fieldError.invalid(at, name, `must have at most 253 characters and match regex ${sysctlFormat}`);
    } else if (seen.has(name)) yield fieldError.duplicate(at, name);
    if (!leniency.hostSysctls) yield* hostSysctl(name, spec, at);
    seen.add(name);
  }
}

const ipcSysctl = /^(kernel\.(sem|shm|shmall|shmmax|shmmni|shm_rmid_forced|msg|msgmax|msgmnb|msgmni)|fs\.mqueue\..*)$/;

/** Sysctls of a namespace that the pod shares with its node belong to the node. */
export function* hostSysctl(name: string, spec: PodSpec, path: string): Findings {
  const dotted = dottedSysctl(name);
  if (spec.hostNetwork && dotted.startsWith('net.')) {
    yield fieldError.invalid(path, name, "may not be specified when 'hostNetwork' is true");
  } else if (spec.hostIPC && ipcSysctl.test(dotted)) {
    yield fieldError.invalid(path, name, "may not be specified when 'hostIPC' is true");
  }
}

/** `net/ipv4/x` and `net.ipv4.x` are the same sysctl: the first separator determines the form. */
const dottedSysctl = (name: string): string => {
  const first = name.search(/[./]/);
  return first >= 0 && name[first] === '/' ? name.replace(/[./]/g, (each) => (each === '/' ? '.' : '/')) : name;
};

export function* os(spec: PodSpec, path: string): Findings {
  if (!spec.os) return;
  if (!spec.os.name) yield fieldError.required(`${path}.name`);
  else if (spec.os.name !== 'linux' && spec.os.name !== 'windows') {
    yield unsupported(path, spec.os.name, ['linux', 'windows']);
  }
}
