import type { ApplicationSpec } from '@fairlead/api';
import type { DeploymentSpec } from './read-spec.ts';

/** The destination of a deployment in Argo CD's terms. */
export type Destination =
  | { readonly kind: 'own-namespace'; readonly namespace: string }
  | { readonly kind: 'environment'; readonly id: string; readonly namespace: string };

export const inClusterServer = 'https://kubernetes.default.svc';
export const projectNameOf = (tenant: string): string => `app-project-${tenant}`;
export const clusterNameOf = (environment: string): string => `managed-env-${environment}`;

/** Argo CD's Application for a deployment. */
export function applicationSpec(spec: DeploymentSpec, destination: Destination, tenant: string): ApplicationSpec {
  const { repository, path, revision, automated } = spec;
  return {
    project: projectNameOf(tenant),
    source: { repoURL: repository, path, ...(revision === '' ? {} : { targetRevision: revision }) },
    destination:
      destination.kind === 'own-namespace'
        ? { server: inClusterServer, namespace: destination.namespace }
        : { name: clusterNameOf(destination.id), namespace: destination.namespace },
    syncPolicy: {
      ...(automated ? { automated: { prune: true, selfHeal: true, allowEmpty: true } } : {}),
      syncOptions: syncOptions(spec),
      retry: { limit: -1, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
    },
  };
}

function syncOptions({ syncOptions: own }: DeploymentSpec): string[] {
  const chosen = own.some((option) => option.startsWith('PrunePropagationPolicy='));
  return chosen ? [...own] : ['PrunePropagationPolicy=background', ...own];
}
