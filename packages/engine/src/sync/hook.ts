import type { KubeObject } from '@fairlead/kube';

const annotation = 'argocd.argoproj.io/hook';
const helmAnnotation = 'helm.sh/hook';

const kinds = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'PreDelete', 'PostDelete', 'Skip'] as const;
export type HookKind = (typeof kinds)[number];

/** What each of Helm's hooks is to us. An unknown one makes the object no hook. */
const helmKinds: Readonly<Record<string, HookKind>> = {
  'crd-install': 'PreSync',
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
  'pre-delete': 'PreDelete',
  'post-delete': 'PostDelete',
};

const words = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** When an object is to be run as a hook; empty for an ordinary object. */
export function hookKinds(object: KubeObject): HookKind[] {
  const annotations = object.metadata.annotations ?? {};
  const own = words(annotations[annotation]);
  if (own.length > 0) return kinds.filter((kind) => own.includes(kind));
  const helm = words(annotations[helmAnnotation]).flatMap((word) => helmKinds[word] ?? []);
  return kinds.filter((kind) => helm.includes(kind));
}

export const isHook = (object: KubeObject): boolean => hookKinds(object).length > 0;
