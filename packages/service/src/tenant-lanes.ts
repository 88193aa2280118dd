import { Lanes } from '@fairlead/kube';

const runners = ['deployment', 'sync', 'environment', 'credential'] as const;
export type Runner = (typeof runners)[number];

const isRunner = (text: string): text is Runner => runners.some((runner) => runner === text);

/** The key of a reconcile: `runner/tenant/name`. One key is processed once at a time. */
export interface WorkKey {
  readonly runner: Runner;
  readonly namespace: string;
  readonly name: string;
}

export const workKey = (runner: Runner, namespace: string, name: string): string => `${runner}/${namespace}/${name}`;

export function parseWorkKey(key: string): WorkKey {
  const [runner = '', namespace = '', name = ''] = key.split('/');
  if (!isRunner(runner)) throw new Error(`invalid work key ${key}`);
  return { runner, namespace, name };
}

/** Lanes that are fair between tenants, and between the applications of each, with a limit for each tenant. */
export const tenantLanes = (maxInFlight: number): Lanes =>
  new Lanes({
    laneOf: (key) => parseWorkKey(key).namespace,
    limits: () => ({ maxInFlight }),
    within: () => new Lanes({ laneOf: (key) => parseWorkKey(key).name }),
  });
