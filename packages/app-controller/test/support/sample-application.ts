import type { Application, AppProject } from '@fairlead/api';

/** An Application of one source. */
export const sampleApplication = (annotations: Record<string, string> = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd', annotations },
  spec: {
    project: 'default',
    source: { repoURL: 'https://github.com/team/shop.git', path: 'shop', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
  },
});

export const sampleProject = (spec: AppProject['spec']): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: 'argocd' },
  spec,
});
