import type { KubeObject } from '@fairlead/apimachinery';
import { helmAnnotations, hookDeletePolicies, hookTypes, knownAnnotations } from '../annotations.ts';

const hookAnnotation = knownAnnotations.hook.name;

/** Keeps a hook until its outcome has been observed, even if someone deletes it before. */
export const hookFinalizer = 'argocd.argoproj.io/hook-finalizer';

export type HookKind = (typeof hookTypes)[number];

/** What each of Helm's hooks is to us. The others (tests, rollbacks) have no place in a sync: they are hooks that never run. */
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

/** When an object is to be run as a hook; empty for an ordinary object, and for a hook that nobody knows when to run. */
export function hookKinds(object: KubeObject): HookKind[] {
  const annotations = object.metadata.annotations ?? {};
  const own = hookTypes.filter((kind) => words(annotations[hookAnnotation]).includes(kind));
  if (own.length > 0) return own;
  const helm = words(annotations[helmAnnotations.hook]).flatMap((word) => helmKinds[word] ?? []);
  return hookTypes.filter((kind) => helm.includes(kind));
}

/**
 * Whether an object is run and not kept. One whose annotation cannot be understood is a hook too: its author did not mean it to be
 * applied with the rest. Helm's `crd-install` is not a hook: its definitions are ordinary objects, which come before their first use anyway.
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

/** By this, the one that continues the operation knows that the hook was created. */
const runAnnotation = knownAnnotations.hookRun.name;

/** The one try of one operation that hooks are run for. */
export interface HookRun {
  readonly revision: string;
  /** When the operation began, in milliseconds: with `attempt`, its name. */
  readonly startedAt: number;
  /** Unique for a try of an operation. */
  readonly attempt: string;
}

/**
 * A hook as it is created: with a name that is the same however often it is asked for, protected from deletion until its outcome is
 * known, and marked with the try that it belongs to.
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

/** Whether the live object was made from exactly this hook in this attempt. */
export const isSameRun = (live: KubeObject, hook: KubeObject): boolean =>
  live.metadata.annotations?.[runAnnotation] !== undefined &&
  live.metadata.annotations[runAnnotation] === hook.metadata.annotations?.[runAnnotation];
