import { Lanes } from '@fairlead/kube';

/** What work is about: `runner/tenant/name`. A runner of a name is one key, so it is in one pair of hands at a time. */
export interface WorkKey {
  readonly runner: 'deployment' | 'sync' | 'environment' | 'credential';
  readonly namespace: string;
  readonly name: string;
}

export const workKey = (runner: WorkKey['runner'], namespace: string, name: string): string =>
  `${runner}/${namespace}/${name}`;

export function parseWorkKey(key: string): WorkKey {
  const [runner = '', namespace = '', name = ''] = key.split('/');
  return { runner: runner as WorkKey['runner'], namespace, name };
}

/** Fair turns between tenants, and between the applications of each; at most so many of a tenant's at once. */
export const tenantLanes = (maxInFlight: number): Lanes =>
  new Lanes({
    laneOf: (key) => parseWorkKey(key).namespace,
    limits: () => ({ maxInFlight }),
    within: () => new Lanes({ laneOf: (key) => parseWorkKey(key).name }),
  });
