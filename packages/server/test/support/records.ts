import type { Application } from '@fairlead/api';
import fc from 'fast-check';
import { type ApplicationRecord, type Names, recordOf } from '../../src/fleet/applications/summary.ts';

/** Names as a small installation has them. */
export const names: Names = {
  cluster: ({ name = '', server = '' }) => ({ name: name || server, server: server || `https://${name}` }),
  tenant: (uid) => `tenant-${uid}`,
};

export interface Sample {
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
  readonly cluster: string;
  readonly tenant: string;
  readonly sync: string;
  readonly health: string;
  readonly phase: string;
  readonly automated: boolean;
  readonly team: string;
}

export const sampleOf = (given: Partial<Sample> & Pick<Sample, 'name'>): Sample => ({
  namespace: 'argocd',
  project: 'default',
  cluster: 'in-cluster',
  tenant: '',
  sync: 'Synced',
  health: 'Healthy',
  phase: '',
  automated: false,
  team: '',
  ...given,
});

let version = 0;

export function recordFrom(sample: Sample): ApplicationRecord {
  version += 1;
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: sample.name,
      namespace: sample.namespace,
      uid: sample.name,
      resourceVersion: String(version),
      labels: {
        ...(sample.team === '' ? {} : { team: sample.team }),
        ...(sample.tenant === '' ? {} : { 'managed-gitops.redhat.com/tenant': sample.tenant }),
      },
    },
    spec: {
      project: sample.project,
      source: { repoURL: 'https://git.example.com/shop', path: '.' },
      destination: { name: sample.cluster, namespace: 'shop' },
      ...(sample.automated ? { syncPolicy: { automated: {} } } : {}),
    },
    status: {
      sync: { status: sample.sync },
      health: { status: sample.health },
      ...(sample.phase === ''
        ? {}
        : { operationState: { phase: sample.phase, startedAt: '2026-01-01T00:00:00Z', operation: {} } }),
    },
  };
  return recordOf(application, names);
}

const one = <T>(...values: T[]) => fc.constantFrom(...values);

export const samples: fc.Arbitrary<Sample> = fc.record({
  name: one('web', 'api', 'web-2', 'db', 'queue', 'cache'),
  namespace: one('argocd', 'team-a'),
  project: one('default', 'shop', 'secret'),
  cluster: one('in-cluster', 'east', 'west'),
  tenant: one('', 't1', 't2'),
  sync: one('Synced', 'OutOfSync', 'Unknown'),
  health: one('Healthy', 'Degraded', 'Missing'),
  phase: one('', 'Running', 'Succeeded'),
  automated: fc.boolean(),
  team: one('', 'red', 'blue'),
});
