import type { KubeObject } from '@fairlead/apimachinery';
import { helmAnnotations, hookDeletePolicies, hookTypes, knownAnnotations } from '../annotations.ts';

const hookAnnotation = knownAnnotations.hook.name;

/** Keeps a hook until its result has been observed, even if it is deleted before. */
export const hookFinalizer = 'argocd.argoproj.io/hook-finalizer';

export type HookKind = (typeof hookTypes)[number];

/** The equivalents of the hooks of Helm. The others (tests, rollbacks) are not part of a sync: they are hooks that never run. */
const helmKinds: Readonly<Record<string, HookKind>> = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
  'pre-delete': 'PreDelete',
  'post-delete': 'PostDelete',
};

export type HookDeletePolicy = (typeof hookDeletePolicies)[number];

const helmPolicies: Readonly<Record<string, HookDeletePolicy>> = {
  'before-hook-creation': 'BeforeHookCreation',
  'hook-succeeded': 'HookSucceeded',
  'hook-failed': 'HookFailed',
};

const words = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The phases of a hook; empty for an ordinary object, and for a hook of an unknown type. */
export function hookKinds(object: KubeObject): HookKind[] {
  const annotations = object.metadata.annotations ?? {};
  const own = hookTypes.filter((kind) => words(annotations[hookAnnotation]).includes(kind));
  if (own.length > 0) return own;
  const helm = words(annotations[helmAnnotations.hook]).flatMap((word) => helmKinds[word] ?? []);
  return hookTypes.filter((kind) => helm.includes(kind));
}

/**
 * Whether an object is a hook. One with an invalid annotation is a hook too: it was not meant as an ordinary object. Helm's `crd-install`
 * is not a hook: its definitions are ordinary objects, which are applied before their first use anyway.
 */
export function isHook(object: KubeObject): boolean {
  const annotations = object.metadata.annotations ?? {};
  if (annotations[hookAnnotation] !== undefined) return !isSkipped(object);
  const helm = annotations[helmAnnotations.hook];
  return helm !== undefined && helm.trim() !== 'crd-install';
}

/** `argocd.argoproj.io/hook: Skip`: neither applied nor pruned. */
export function isSkipped(object: KubeObject): boolean {
  const found = hookKinds(object);
  return found.length === 1 && found[0] === 'Skip';
}

/** When a hook is deleted: before it is created again, unless it specifies otherwise. */
export function deletePoliciesOf(object: KubeObject): HookDeletePolicy[] {
  const annotations = object.metadata.annotations ?? {};
  const said = [
    ...words(annotations[knownAnnotations.hookDeletePolicy.name]),
    ...words(annotations[helmAnnotations.hookDeletePolicy]).flatMap((word) => helmPolicies[word] ?? []),
  ];
  const found = hookDeletePolicies.filter((policy) => said.includes(policy));
  return found.length > 0 ? found : ['BeforeHookCreation'];
}

export const hasDeletePolicy = (object: KubeObject, policy: HookDeletePolicy): boolean =>
  deletePoliciesOf(object).includes(policy);

/** Lets a process that continues the operation recognize that the hook was created. */
const runAnnotation = knownAnnotations.hookRun.name;

/** The attempt of an operation that hooks are run for. */
export interface HookRun {
  readonly revision: string;
  /** The start of the operation, in milliseconds: with `attempt`, its identity. */
  readonly startedAt: number;
  /** Unique for an attempt of an operation. */
  readonly attempt: string;
}

/**
 * The object that is created for a hook: with a deterministic name, with a finalizer until its result is known, and marked with its
 * attempt.
 */
export function hookObject(hook: KubeObject, phase: string, { revision, startedAt, attempt }: HookRun): KubeObject {
  const { metadata } = hook;
  const { annotations = {}, finalizers = [] } = metadata;
  const short = revision.length >= 8 ? revision.slice(0, 7) : revision;
  const suffix = `${short}-${phase}-${Math.floor(startedAt / 1000)}`.toLowerCase();
  return {
    ...hook,
    metadata: {
      ...metadata,
      name: metadata.name || `${metadata.generateName ?? ''}${suffix}`,
      annotations: { ...annotations, [runAnnotation]: `${attempt}/${phase}` },
      finalizers: finalizers.includes(hookFinalizer) ? finalizers : [...finalizers, hookFinalizer],
    },
  };
}

/** Whether the live object was created from exactly this hook in this attempt. */
export const isSameRun = (live: KubeObject, hook: KubeObject): boolean =>
  live.metadata.annotations?.[runAnnotation] !== undefined &&
  live.metadata.annotations[runAnnotation] === hook.metadata.annotations?.[runAnnotation];
