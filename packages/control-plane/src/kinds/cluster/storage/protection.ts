import type { KubeObject } from '@fairlead/apimachinery';

/** Protects an object in use from deletion; its controller removes the finalizer. */
export function addFinalizer(draft: KubeObject, finalizer: string): void {
  const finalizers = draft.metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) draft.metadata.finalizers = [...finalizers, finalizer];
}
