import { type Application, applicationKind } from '@fairlead/api';
import { isConflict, isNotFound, type KubeObject } from '@fairlead/apimachinery';
import { type HookKind, hookKinds } from '@fairlead/engine';
import { keyOfApplication, type ReconcileEnv } from '../reconcile-env.ts';

const resources = 'resources-finalizer.argocd.argoproj.io';

/** The finalizers of an Application, in the order of their stages. */
export const stages = {
  preDelete: ['pre-delete-finalizer.argocd.argoproj.io'],
  resources: [resources, `${resources}/foreground`, `${resources}/background`],
  postDelete: ['post-delete-finalizer.argocd.argoproj.io'],
  preDeleteCleanup: ['pre-delete-finalizer.argocd.argoproj.io/cleanup'],
  postDeleteCleanup: ['post-delete-finalizer.argocd.argoproj.io/cleanup'],
} as const satisfies Record<string, readonly string[]>;

export type Stage = keyof typeof stages;

const stageOrder: readonly Stage[] = ['preDelete', 'resources', 'postDelete', 'preDeleteCleanup', 'postDeleteCleanup'];

const names = (stage: Stage): readonly string[] => stages[stage];

/** The next stage of an Application that is being deleted; undefined if it has none of our finalizers. */
export const stageOf = ({ metadata: { finalizers = [] } }: Application): Stage | undefined =>
  stageOrder.find((stage) => names(stage).some((name) => finalizers.includes(name)));

/** Whether the finalizer requests background deletion: owners are deleted before their dependents. */
export const isBackground = ({ metadata: { finalizers = [] } }: Application): boolean =>
  finalizers.includes(`${resources}/background`);

/** The finalizers that the hooks of a source require; undefined if they are present. Other finalizers are kept. */
export function finalizersFor({ metadata }: Application, hooks: readonly KubeObject[]): string[] | undefined {
  const { finalizers = [] } = metadata;
  const has = (kind: HookKind): boolean => hooks.some((hook) => hookKinds(hook).includes(kind));
  const required = [
    ...(has('PreDelete') ? [...names('preDelete'), ...names('preDeleteCleanup')] : []),
    ...(has('PostDelete') ? [...names('postDelete'), ...names('postDeleteCleanup')] : []),
  ];
  const ofHooks = (['preDelete', 'preDeleteCleanup', 'postDelete', 'postDeleteCleanup'] as const).flatMap(names);
  const next = [
    ...finalizers.filter((name) => !ofHooks.includes(name) || required.includes(name)),
    ...required.filter((name) => !finalizers.includes(name)),
  ];
  return next.length === finalizers.length && next.every((name, i) => name === finalizers[i]) ? undefined : next;
}

/** Writes the finalizers, unless the Application has changed since it was read; then it is reconciled again anyway. */
export async function writeFinalizers(
  env: ReconcileEnv,
  application: Application,
  finalizers: readonly string[],
  signal: AbortSignal,
): Promise<Application> {
  const { resourceVersion = '' } = application.metadata;
  const body = { metadata: { resourceVersion, finalizers } };
  try {
    const written = await env.client.patch<Application>(
      applicationKind.type,
      keyOfApplication(application),
      'merge',
      body,
      { signal },
    );
    env.applications.wrote(written);
    return written;
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return application;
    throw error;
  }
}
