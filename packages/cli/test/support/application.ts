import type { Application, OperationState, ResourceResult, ResourceStatus } from '@fairlead/api';

/** A Synced and Healthy Application for tests, with overrides. */
export function application(
  over: {
    readonly name?: string;
    readonly namespace?: string;
    readonly spec?: Partial<Application['spec']>;
    readonly status?: Partial<NonNullable<Application['status']>>;
    readonly operation?: Application['operation'];
    readonly metadata?: Partial<Application['metadata']>;
  } = {},
): Application {
  const spec = {
    project: 'default',
    source: { repoURL: 'https://example.com/shop.git', path: 'web' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'demo' },
    ...over.spec,
  };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: over.name ?? 'web', namespace: over.namespace ?? 'argocd', uid: 'u1', ...over.metadata },
    spec,
    ...(over.operation ? { operation: over.operation } : {}),
    status: {
      sync: {
        status: 'Synced',
        revision: 'a'.repeat(40),
        comparedTo: {
          destination: spec.destination,
          ...(spec.source ? { source: spec.source } : {}),
          ...(spec.sources ? { sources: spec.sources } : {}),
        },
      },
      health: { status: 'Healthy' },
      ...over.status,
    },
  };
}

export const resource = (kind: string, name: string, over: Partial<ResourceStatus> = {}): ResourceStatus => ({
  group: kind === 'Deployment' ? 'apps' : kind === 'Job' ? 'batch' : '',
  version: 'v1',
  kind,
  namespace: 'demo',
  name,
  status: 'Synced',
  ...over,
});

export const result = (kind: string, name: string, over: Partial<ResourceResult> = {}): ResourceResult => ({
  group: kind === 'Deployment' ? 'apps' : kind === 'Job' ? 'batch' : '',
  version: 'v1',
  kind,
  namespace: 'demo',
  name,
  status: 'Synced',
  syncPhase: 'Sync',
  ...over,
});

export const operationState = (over: Partial<OperationState> = {}): OperationState => ({
  operation: { sync: {} },
  phase: 'Running',
  startedAt: '2030-01-01T00:00:00Z',
  ...over,
});
