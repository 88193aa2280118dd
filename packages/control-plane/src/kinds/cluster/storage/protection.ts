import type { KubeObject } from '@fairlead/apimachinery';

/** Holds an object that is in use when it is deleted; its controller takes the finalizer away. */
export function addFinalizer(draft: KubeObject, finalizer: string): void {
  const finalizers = draft.metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) draft.metadata.finalizers = [...finalizers, finalizer];
}
