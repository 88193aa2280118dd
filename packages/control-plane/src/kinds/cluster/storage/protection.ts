import type { Draft } from '../../../resource.ts';

/** Holds an object that is in use when it is deleted; its controller takes the finalizer away. */
export function addFinalizer(draft: Draft, finalizer: string): void {
  const finalizers = draft.metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) draft.metadata.finalizers = [...finalizers, finalizer];
}
