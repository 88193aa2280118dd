import { appArmorPrefix, seccompPod, seccompPrefix } from '../../pod-spec/annotations.ts';
import type { PodSpec, Profile, SecurityContext } from '../../pod-spec/types.ts';
import { everyContainer } from '../../pod-spec/visit.ts';
import { counted, namesWhere, quoted, setters, sorted, type Violation } from './words.ts';

export function appArmor(spec: PodSpec, annotations: Record<string, string>): Violation | undefined {
  const bad = (profile: Profile | undefined) =>
    profile && profile.type !== 'RuntimeDefault' && profile.type !== 'Localhost';
  const ofPod = spec.securityContext?.appArmorProfile;
  const names = namesWhere(spec, (each) => bad(each.securityContext?.appArmorProfile));
  const values = [ofPod, ...[...everyContainer(spec)].map((each) => each.securityContext?.appArmorProfile)].filter(bad);
  const notes = Object.entries(annotations)
    .filter(
      ([key, value]) =>
        key.startsWith(appArmorPrefix) &&
        value !== '' &&
        value !== 'runtime/default' &&
        !value.startsWith('localhost/'),
    )
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const listed = [...sorted(values.map((profile) => profile?.type ?? '')), ...notes];
  const who = [
    setters(bad(ofPod) === true, names),
    ...(notes.length > 0 ? [`annotation${notes.length === 1 ? '' : 's'}`] : []),
  ].filter(Boolean);
  if (who.length === 0) return undefined;
  const reason = `forbidden AppArmor profile${listed.length === 1 ? '' : 's'}`;
  return { reason, detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(listed)}` };
}

export function seLinux(spec: PodSpec, minor: number): Violation | undefined {
  const allowed = [
    '',
    'container_t',
    'container_init_t',
    'container_kvm_t',
    ...(minor >= 31 ? ['container_engine_t'] : []),
  ];
  const bad = (options: SecurityContext['seLinuxOptions']) =>
    options && (!allowed.includes(options.type ?? '') || !!options.user || !!options.role);
  const ofPod = spec.securityContext?.seLinuxOptions;
  const names = namesWhere(spec, (each) => bad(each.securityContext?.seLinuxOptions));
  const who = setters(bad(ofPod) === true, names);
  if (!who) return undefined;
  const all = [ofPod, ...[...everyContainer(spec)].map((each) => each.securityContext?.seLinuxOptions)];
  const types = sorted(all.map((each) => each?.type ?? '').filter((type) => !allowed.includes(type)));
  const what = [
    ...(types.length > 0 ? [counted('type', types)] : []),
    ...(all.some((each) => each?.user) ? ['user may not be set'] : []),
    ...(all.some((each) => each?.role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`,
  };
}

export const isSafeSeccomp = (profile: Profile | undefined): boolean =>
  profile?.type === 'Localhost' || profile?.type === 'RuntimeDefault';

export function seccomp(spec: PodSpec): Violation | undefined {
  const bad = (profile: Profile | undefined) => profile !== undefined && !isSafeSeccomp(profile);
  const ofPod = spec.securityContext?.seccompProfile;
  const names = namesWhere(spec, (each) => bad(each.securityContext?.seccompProfile));
  const who = setters(bad(ofPod), names);
  if (!who) return undefined;
  const all = [ofPod, ...[...everyContainer(spec)].map((each) => each.securityContext?.seccompProfile)];
  const types = quoted(sorted(all.filter(bad).map((profile) => profile?.type ?? '')));
  return { reason: 'seccompProfile', detail: `${who} must not set securityContext.seccompProfile.type to ${types}` };
}

/** Before profiles were fields. */
export function seccompAnnotations(spec: PodSpec, annotations: Record<string, string>): Violation | undefined {
  const keys = [seccompPod, ...[...everyContainer(spec)].map((each) => seccompPrefix + (each.name ?? ''))];
  const bad = sorted(
    keys
      .filter(
        (key) =>
          annotations[key] !== undefined &&
          !/^(runtime\/default|docker\/default|localhost\/.*)$/.test(annotations[key]),
      )
      .map((key) => `${key}=${JSON.stringify(annotations[key])}`),
  );
  if (bad.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden annotation${bad.length === 1 ? '' : 's'} ${bad.join(', ')}` };
}
