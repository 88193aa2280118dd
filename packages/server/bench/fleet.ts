/** Applications of the size that a controller writes. */
export const namespace = 'argocd';

/** So many Applications belong to one project: what a page of a list shows. */
export const pageSize = 100;

export function applicationNumber(i: number) {
  const name = `app-${String(i).padStart(5, '0')}`;
  const revision = 'a'.repeat(40);
  const source = { repoURL: 'https://git.example.com/shop/deploy.git', path: `apps/${name}`, targetRevision: 'HEAD' };
  const destination = { server: 'https://kubernetes.default.svc', namespace: name };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace, labels: { team: `team-${Math.floor(i / pageSize)}`, number: String(i) } },
    spec: {
      project: `team-${Math.floor(i / pageSize)}`,
      source,
      destination,
      syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
    status: {
      sync: { status: 'Synced', revision, comparedTo: { source, destination } },
      health: { status: 'Healthy' },
      reconciledAt: '2026-01-01T00:00:00Z',
      sourceType: 'Kustomize',
      summary: { images: ['registry.example.com/shop/web:1.2.3', 'registry.example.com/shop/api:4.5.6'] },
      history: Array.from({ length: 5 }, (_, id) => ({ id, revision, deployedAt: '2026-01-01T00:00:00Z', source })),
      resources: Array.from({ length: 12 }, (_, j) => ({
        group: j % 2 === 0 ? 'apps' : '',
        version: 'v1',
        kind: j % 2 === 0 ? 'Deployment' : 'Service',
        namespace: name,
        name: `${name}-${j}`,
        status: 'Synced',
        health: { status: 'Healthy' },
      })),
      operationState: {
        phase: 'Succeeded',
        message: 'successfully synced (all tasks run)',
        startedAt: '2026-01-01T00:00:00Z',
        finishedAt: '2026-01-01T00:00:05Z',
        operation: { sync: { revision, prune: true }, initiatedBy: { automated: true } },
        syncResult: { revision, source },
      },
    },
  };
}
