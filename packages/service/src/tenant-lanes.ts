import { Lanes } from '@fairlead/kube';

/** The key of a reconcile: `runner/tenant/name`. One key is processed once at a time. */
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

/** Lanes that are fair between tenants, and between the applications of each, with a limit for each tenant. */
export const tenantLanes = (maxInFlight: number): Lanes =>
  new Lanes({
    laneOf: (key) => parseWorkKey(key).namespace,
    limits: () => ({ maxInFlight }),
    within: () => new Lanes({ laneOf: (key) => parseWorkKey(key).name }),
  });
