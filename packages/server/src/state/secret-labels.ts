/** Says what a Secret describes. */
export const secretTypeLabel = 'argocd.argoproj.io/secret-type';

/** Secrets that the API has created carry it, and only they are deleted by it. */
export const managedByAnnotation = 'managed-by';
export const managedByArgoCd = 'argocd.argoproj.io';
