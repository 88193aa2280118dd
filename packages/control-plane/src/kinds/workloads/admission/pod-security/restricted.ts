import type { Container, PodSpec } from '../../pod-spec/types.ts';
import { everyContainer } from '../../pod-spec/visit.ts';
import type { Volume } from '../../pod-spec/volume-types.ts';
import { procMount } from './baseline.ts';
import { isSafeSeccomp, seccomp } from './profiles.ts';
import { type Check, type CheckedPod, counted, namesWhere, quoted, setters, sorted, type Violation } from './words.ts';

const onWindows = ({ spec, minor }: CheckedPod): boolean => minor >= 25 && spec.os?.name === 'windows';
/** With a user namespace, root in the pod has no permissions outside. */
const hasOwnUsers = ({ spec, minor }: CheckedPod): boolean => minor >= 35 && spec.hostUsers === false;

/** The restrictions of hardened pods, in the order in which violations are listed. */
export const restricted: Record<string, Check> = {
  allowPrivilegeEscalation: { since: 8, run: (pod) => (onWindows(pod) ? undefined : escalation(pod.spec)) },
  capabilities_restricted: {
    since: 22,
    replaces: 'capabilities_baseline',
    run: (pod) => (onWindows(pod) ? undefined : capabilities(pod.spec)),
  },
  procMount_restricted: { since: 35, replaces: 'procMount', run: ({ spec }) => procMount(spec) },
  restrictedVolumes: { since: 0, replaces: 'hostPathVolumes', run: ({ spec }) => volumes(spec) },
  runAsNonRoot: { since: 0, run: (pod) => (hasOwnUsers(pod) ? undefined : runAsNonRoot(pod.spec)) },
  runAsUser: { since: 23, run: (pod) => (hasOwnUsers(pod) ? undefined : runAsUser(pod.spec)) },
  seccompProfile_restricted: {
    since: 19,
    replaces: 'seccompProfile_baseline',
    run: (pod) => (onWindows(pod) ? undefined : (seccomp(pod.spec) ?? seccompMissing(pod.spec))),
  },
};

function escalation(spec: PodSpec): Violation | undefined {
  const names = namesWhere(spec, (each) => each.securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  const detail = `${counted('container', names)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

function capabilities(spec: PodSpec): Violation | undefined {
  const given = (each: Container) => each.securityContext?.capabilities;
  const keeping = namesWhere(spec, (each) => !given(each)?.drop?.includes('ALL'));
  const added = (each: Container) => (given(each)?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
  const adding = namesWhere(spec, (each) => added(each).length > 0);
  const which = quoted(sorted([...everyContainer(spec)].flatMap(added)));
  const details = [
    ...(keeping.length > 0
      ? [`${counted('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0
      ? [`${counted('container', adding)} must not include ${which} in securityContext.capabilities.add`]
      : []),
  ];
  return details.length > 0 ? { reason: 'unrestricted capabilities', detail: details.join('; ') } : undefined;
}

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;

function volumes(spec: PodSpec): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((kind) => volume[kind]));
  if (bad.length === 0) return undefined;
  const kindOf = ({ name: _, ...sources }: Volume) => Object.keys(sources)[0] ?? 'unknown';
  const kinds = sorted(bad.map(kindOf));
  const names = bad.map((volume) => volume.name ?? '');
  const what = `restricted volume type${kinds.length === 1 ? '' : 's'} ${quoted(kinds)}`;
  const detail = `${counted('volume', names)} ${names.length === 1 ? 'uses' : 'use'} ${what}`;
  return { reason: 'restricted volume types', detail };
}

function runAsNonRoot(spec: PodSpec): Violation | undefined {
  const ofPod = spec.securityContext?.runAsNonRoot;
  const refusing = namesWhere(spec, (each) => each.securityContext?.runAsNonRoot === false);
  const who = setters(ofPod === false, refusing);
  const reason = 'runAsNonRoot != true';
  if (who) return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = ofPod ? [] : namesWhere(spec, (each) => each.securityContext?.runAsNonRoot == null);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${counted('container', silent)} must set securityContext.runAsNonRoot=true` };
}

function runAsUser(spec: PodSpec): Violation | undefined {
  const names = namesWhere(spec, (each) => each.securityContext?.runAsUser === 0);
  const who = setters(spec.securityContext?.runAsUser === 0, names);
  return who ? { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` } : undefined;
}

function seccompMissing(spec: PodSpec): Violation | undefined {
  if (isSafeSeccomp(spec.securityContext?.seccompProfile)) return undefined;
  const names = namesWhere(spec, (each) => !each.securityContext?.seccompProfile);
  if (names.length === 0) return undefined;
  const who = `pod or ${counted('container', names)}`;
  const detail = `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
}
