/** What the form has. */
export interface Draft {
  readonly name: string;
  readonly project: string;
  readonly repoURL: string;
  readonly path: string;
  readonly revision: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly autoSync: boolean;
  readonly prune: boolean;
  readonly selfHeal: boolean;
  readonly createNamespace: boolean;
}

export const emptyDraft: Draft = {
  name: '',
  project: 'default',
  repoURL: '',
  path: '',
  revision: '',
  cluster: 'in-cluster',
  namespace: '',
  autoSync: false,
  prune: false,
  selfHeal: false,
  createNamespace: true,
};

/** The Application that is created. */
export const manifestOf = (draft: Draft): object => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: draft.name },
  spec: {
    project: draft.project,
    source: { repoURL: draft.repoURL, path: draft.path, targetRevision: draft.revision || 'HEAD' },
    destination: { name: draft.cluster, namespace: draft.namespace },
    ...(draft.autoSync || draft.createNamespace
      ? {
          syncPolicy: {
            ...(draft.autoSync ? { automated: { prune: draft.prune, selfHeal: draft.selfHeal } } : {}),
            ...(draft.createNamespace ? { syncOptions: ['CreateNamespace=true'] } : {}),
          },
        }
      : {}),
  },
});
