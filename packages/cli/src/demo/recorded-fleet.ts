import type { Application, AppProject } from '@fairlead/api';
import { formatTime } from '@fairlead/apimachinery';
import { knownAnnotations } from '@fairlead/engine';
import { controlPlaneNamespace } from '../install.ts';

const products =
  'basket catalog checkout customer delivery invoice loyalty orders payments pricing returns search stock'.split(' ');
const parts = ['api', 'web', 'worker', 'gateway', 'cache', 'report', 'import', 'export'];
const stages = ['dev', 'stage', 'prod'];
const regions = ['eu-west', 'eu-north', 'us-east', 'us-west', 'ap-south', 'sa-east'];
const hour = 3_600_000;

/** The project of each product. */
export const recordedProjects = (): readonly AppProject[] =>
  products.map((name) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: controlPlaneNamespace, labels: { fleet: 'demo' } },
    spec: {
      description: `Team ${name}`,
      sourceRepos: ['*'],
      destinations: [{ server: '*', name: '*', namespace: '*' }],
    },
  }));

/**
 * An Application with the status that a controller would have written, to try lists at scale: it is not reconciled, so ten thousand of
 * them cost no more than their storage. The same number has the same status at each start.
 */
export function recordedApplication(number: number, now: number): Application {
  const pick = <T>(values: readonly T[], divisor: number): T | undefined =>
    values[Math.floor(number / divisor) % values.length];
  const product = pick(products, 1) ?? '';
  const part = pick(parts, products.length) ?? '';
  const stage = pick(stages, products.length * parts.length) ?? '';
  const region = pick(regions, products.length * parts.length * stages.length) ?? '';
  const name = `${product}-${part}-${stage}-${String(number).padStart(5, '0')}`;
  const namespace = `${product}-${stage}`;
  const { sync, health, phase } = stateOf(number);
  const revision = (number * 2_654_435_761).toString(16).padEnd(40, 'a9f3c0d');
  const at = (age: number): string => formatTime(now - age);
  const source = {
    repoURL: `https://git.example.com/${product}/deploy.git`,
    path: `${part}/${stage}`,
    targetRevision: 'main',
  };
  const destination = { name: `${stage}-${region}`, namespace };
  const version = `${1 + (number % 4)}.${number % 20}.${number % 7}`;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: controlPlaneNamespace,
      labels: { fleet: 'demo', stage, team: product },
      annotations: { [knownAnnotations.skipReconcile.name]: 'true' },
    },
    spec: {
      project: product,
      source,
      destination,
      ...(stage === 'prod' ? {} : { syncPolicy: { automated: { prune: true, selfHeal: true } } }),
    },
    status: {
      sync: { status: sync, revision, comparedTo: { source, destination } },
      health: { status: health },
      reconciledAt: at((number % 180) * 1_000),
      sourceType: 'Kustomize',
      summary: { images: [`registry.example.com/${product}/${part}:${version}`] },
      history: [{ id: number % 40, revision, deployedAt: at((number % 400) * hour), source }],
      resources: [
        {
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          namespace,
          name: part,
          status: sync,
          health: { status: health },
        },
        { version: 'v1', kind: 'Service', namespace, name: part, status: 'Synced', health: { status: 'Healthy' } },
        { version: 'v1', kind: 'ConfigMap', namespace, name: part, status: 'Synced' },
      ],
      operationState: {
        phase,
        message:
          phase === 'Failed' || phase === 'Error'
            ? 'one or more objects failed to apply'
            : 'successfully synced (all tasks run)',
        startedAt: at((number % 400) * hour + 4_000),
        ...(phase === 'Running' ? {} : { finishedAt: at((number % 400) * hour) }),
        operation: { sync: { revision }, initiatedBy: stage === 'prod' ? { username: 'admin' } : { automated: true } },
        syncResult: { revision, source },
      },
    },
  };
}

/** Most are as they should be, as in a fleet that is cared for. */
function stateOf(number: number) {
  const place = (number * 7_919) % 1_000;
  if (place < 12) return { sync: 'OutOfSync', health: 'Degraded', phase: 'Failed' } as const;
  if (place < 30) return { sync: 'Synced', health: 'Degraded', phase: 'Succeeded' } as const;
  if (place < 60) return { sync: 'OutOfSync', health: 'Progressing', phase: 'Running' } as const;
  if (place < 100) return { sync: 'OutOfSync', health: 'Healthy', phase: 'Succeeded' } as const;
  if (place < 105) return { sync: 'Unknown', health: 'Unknown', phase: 'Error' } as const;
  if (place < 112) return { sync: 'OutOfSync', health: 'Missing', phase: 'Succeeded' } as const;
  if (place < 120) return { sync: 'Synced', health: 'Suspended', phase: 'Succeeded' } as const;
  return { sync: 'Synced', health: 'Healthy', phase: 'Succeeded' } as const;
}
