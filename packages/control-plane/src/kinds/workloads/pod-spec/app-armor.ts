import { all } from '../checks.ts';
import { same } from '../equality.ts';
import { appArmorPrefix } from './annotations.ts';
import { appArmorProfile } from './profiles.ts';
import type { PodSpec, Profile, TemplateMeta } from './types.ts';
import { everyContainer } from './visit.ts';

export function appArmorFromAnnotation(value: string): Profile | undefined {
  if (value === 'unconfined') return { type: 'Unconfined' };
  if (value === 'runtime/default') return { type: 'RuntimeDefault' };
  const name = value.startsWith('localhost/') ? value.slice('localhost/'.length) : '';
  return name ? { type: 'Localhost', localhostProfile: name } : undefined;
}

/** Converts the old annotations of a new pod to fields, with a warning. */
export function appArmorToFields(spec: PodSpec, metadata: TemplateMeta, warn: (message: string) => void): void {
  if (spec.os?.name === 'windows') return;
  for (const container of everyContainer(spec)) {
    const key = appArmorPrefix + container.name;
    const annotation = metadata.annotations?.[key];
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
    const profile = appArmorFromAnnotation(annotation);
    const usable = profile && all(appArmorProfile(profile, '')).length === 0 ? profile : undefined;
    if (usable && same(usable, spec.securityContext?.appArmorProfile)) continue;
    if (usable) (container.securityContext ??= {}).appArmorProfile = usable;
    warn(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
}
