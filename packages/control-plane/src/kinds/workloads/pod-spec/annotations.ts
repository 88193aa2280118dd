import { fieldError, messageOf, qualifiedName } from '@fairlead/apimachinery';
import { type Findings, invalid } from '../checks.ts';
import { type Leniency, validDeletionCost } from './leniency.ts';
import { descendingPath } from './paths.ts';
import { tolerations } from './tolerations.ts';
import type { PodSpec, Profile, Toleration } from './types.ts';
import { everyContainerAt } from './visit.ts';

type Annotations = Record<string, string>;

export const mirrorPod = 'kubernetes.io/config.mirror';
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
export const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
export const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const tolerationsKey = 'scheduler.alpha.kubernetes.io/tolerations';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/** Annotations of a template or a claim, with the checks for annotations of objects. */
export function* annotations(given: Annotations | undefined, path: string): Findings {
  let size = 0;
  for (const [key, value] of Object.entries(given ?? {})) {
    yield* invalid(path, key, qualifiedName(key.toLowerCase()));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > 262144) yield fieldError.tooLong(path, 262144);
}

/** Annotations with a meaning for pods. */
export function* podAnnotations(
  given: Annotations | undefined,
  spec: PodSpec,
  path: string,
  leniency: Leniency,
): Findings {
  const all = given ?? {};
  if (all[mirrorPod] !== undefined && !spec.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    yield fieldError.invalid(`${path}[${mirrorPod}]`, all[mirrorPod], detail);
  }
  if (all[tolerationsKey]) yield* oldTolerations(all[tolerationsKey], path, leniency);
  if (!leniency.deletionCost && !validDeletionCost(all)) {
    yield fieldError.invalid(`${path}[${deletionCost}]`, all[deletionCost], 'must be a 32bit integer');
  }
  for (const [key, value] of Object.entries(all)) {
    if (key === seccompPod || key.startsWith(seccompPrefix)) yield* seccompValue(value, `${path}.${key}`);
  }
  for (const [key, value] of Object.entries(all)) {
    if (!key.startsWith(appArmorPrefix)) continue;
    const name = key.slice(appArmorPrefix.length);
    if (![...everyContainerAt(spec, '')].some(([container]) => container.name === name)) {
      yield fieldError.invalid(`${path}[${key}]`, name, 'container not found');
    }
    if (value !== '' && value !== 'runtime/default' && value !== 'unconfined' && !value.startsWith('localhost/')) {
      yield fieldError.invalid(`${path}[${key}]`, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`);
    }
  }
}

function* oldTolerations(text: string, path: string, leniency: Leniency): Findings {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return yield fieldError.invalid(path, tolerationsKey, messageOf(error));
  }
  if (Array.isArray(parsed)) yield* tolerations(parsed as Toleration[], `${path}.${tolerationsKey}`, leniency);
}

function* seccompValue(value: string, path: string): Findings {
  if (value === 'runtime/default' || value === 'docker/default' || value === 'unconfined') return;
  if (value.startsWith('localhost/')) yield* descendingPath(value.slice('localhost/'.length), path);
  else yield fieldError.invalid(path, value, 'must be a valid seccomp profile');
}

/** Profiles that are set twice, as annotation and as field, must be equal. */
export function* profilesAgree(given: Annotations | undefined, spec: PodSpec, path: string): Findings {
  const all = given ?? {};
  const context = spec.securityContext;
  yield* agree('seccomp', all[seccompPod], context?.seccompProfile, `${path}.securityContext.seccompProfile`);
  for (const [container, at] of everyContainerAt(spec, path)) {
    const own = container.securityContext;
    yield* agree(
      'seccomp',
      all[seccompPrefix + container.name],
      own?.seccompProfile,
      `${at}.securityContext.seccompProfile`,
    );
  }
  if (spec.os?.name === 'windows') return;
  for (const [container, at] of everyContainerAt(spec, path)) {
    const profile = container.securityContext?.appArmorProfile ?? context?.appArmorProfile;
    yield* agree('apparmor', all[appArmorPrefix + container.name], profile, `${at}.securityContext.appArmorProfile`);
  }
}

function* agree(what: string, annotation: string | undefined, profile: Profile | undefined, path: string): Findings {
  if (annotation === undefined || !profile) return;
  const accepted: Record<string, string[]> = {
    Unconfined: ['unconfined'],
    RuntimeDefault: what === 'seccomp' ? ['runtime/default', 'docker/default'] : ['runtime/default'],
  };
  const otherType = fieldError.forbidden(`${path}.type`, `${what} type in annotation and field must match`);
  if (profile.type === 'Localhost') {
    if (!annotation.startsWith('localhost/')) yield otherType;
    else if (annotation.slice('localhost/'.length) !== profile.localhostProfile) {
      const detail = `${what} profile in annotation and field must match`;
      yield fieldError.forbidden(`${path}.localhostProfile`, detail);
    }
  } else if (accepted[profile.type ?? '']?.includes(annotation) === false) yield otherType;
}

/** Immutable annotations of a running pod. */
export function* fixedAnnotations(
  given: Annotations | undefined,
  old: Annotations | undefined,
  path: string,
): Findings {
  const kinds = (key: string): string | undefined =>
    key.startsWith(appArmorPrefix) ? 'AppArmor annotations' : key === mirrorPod ? 'mirror pod annotation' : undefined;
  for (const key of Object.keys(old ?? {})) {
    const kind = kinds(key);
    if (kind && given?.[key] !== old?.[key]) {
      yield fieldError.forbidden(`${path}[${key}]`, `may not remove or update ${kind}`);
    }
  }
  for (const key of Object.keys(given ?? {})) {
    const kind = kinds(key);
    if (kind && old?.[key] === undefined) yield fieldError.forbidden(`${path}[${key}]`, `may not add ${kind}`);
  }
}
