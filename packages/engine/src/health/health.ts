/** From best to worst. */
export const healthOrder = ['Healthy', 'Suspended', 'Progressing', 'Missing', 'Degraded', 'Unknown'] as const;
export type HealthStatus = (typeof healthOrder)[number];

export interface Health {
  readonly status: HealthStatus;
  readonly message?: string;
  /** Why a custom health script could not assess the object. */
  readonly scriptProblem?: ScriptProblem;
}

export interface ScriptProblem {
  /** The problem, and the location of the script. */
  readonly advice: string;
  /** Whether the script failed, or else returned an invalid health. */
  readonly failed: boolean;
}

export const health = (status: HealthStatus, message = ''): Health =>
  message === '' ? { status } : { status, message };

export const isWorse = (a: HealthStatus, than: HealthStatus): boolean =>
  healthOrder.indexOf(a) > healthOrder.indexOf(than);

/** The worst of them; Healthy if there are none. */
export const worstOf = (statuses: Iterable<HealthStatus>): HealthStatus => {
  let worst: HealthStatus = 'Healthy';
  for (const status of statuses) if (isWorse(status, worst)) worst = status;
  return worst;
};
