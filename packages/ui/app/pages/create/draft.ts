import type { JsonObject } from '@fairlead/apimachinery/json-at';

/** What the form has. */
export interface Draft {
  readonly name: string;
  readonly project: string;
  readonly repoURL: string;
  readonly kind: 'folder' | 'chart';
  /** Of the folder; of a chart, its name. */
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
  kind: 'folder',
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
export const manifestOf = (draft: Draft): JsonObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: draft.name },
  spec: {
    project: draft.project,
    source: {
      repoURL: draft.repoURL,
      ...(draft.kind === 'chart' ? { chart: draft.path } : { path: draft.path }),
      targetRevision: draft.revision || (draft.kind === 'chart' ? '*' : 'HEAD'),
    },
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

/** Whether it has what the server needs to render it. */
export const isComplete = ({ name, project, repoURL, path, cluster }: Draft): boolean =>
  [name, project, repoURL, path, cluster].every((text) => text !== '');
