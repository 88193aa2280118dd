/** From best to worst. */
export const healthOrder = ['Healthy', 'Suspended', 'Progressing', 'Missing', 'Degraded', 'Unknown'] as const;
export type HealthStatus = (typeof healthOrder)[number];

export interface Health {
  readonly status: HealthStatus;
  readonly message?: string;
}

export const health = (status: HealthStatus, message = ''): Health =>
  message === '' ? { status } : { status, message };

export const isWorse = (a: HealthStatus, than: HealthStatus): boolean =>
  healthOrder.indexOf(a) > healthOrder.indexOf(than);

/** The worst of them; Healthy when there are none. */
export const worstOf = (statuses: Iterable<HealthStatus>): HealthStatus => {
  let worst: HealthStatus = 'Healthy';
  for (const status of statuses) if (isWorse(status, worst)) worst = status;
  return worst;
};
