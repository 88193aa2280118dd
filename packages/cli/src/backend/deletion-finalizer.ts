/** With it, the objects of an Application are deleted before the Application. */
export const deletionFinalizer = 'resources-finalizer.argocd.argoproj.io';

export const isDeletionFinalizer = (finalizer: string): boolean =>
  finalizer === deletionFinalizer || finalizer.startsWith(`${deletionFinalizer}/`);
