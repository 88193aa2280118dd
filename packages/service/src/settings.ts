import type { HostKind } from './host-kind.ts';

/** How much a tenant may have. What is beyond is refused with a condition that says so. */
export interface Quotas {
  readonly deployments: number;
  readonly environments: number;
  readonly credentials: number;
}

export interface ServiceSettings {
  /** For tenants whose namespace does not say otherwise. */
  readonly quotas: Quotas;
  /** Where tenants' repositories and clusters may not be. */
  readonly refusedHosts: readonly HostKind[];
  /** Short pieces of work at once, and of one tenant's. */
  readonly concurrency: number;
  readonly perTenant: number;
  /** Pieces of work that wait for others' servers at once, and of one tenant's. */
  readonly longConcurrency: number;
  readonly longPerTenant: number;
  /** How often the database is asked for what a lost notice would have told. */
  readonly pollMs: number;
  /** How long a claim on an Operation is good. */
  readonly leaseMs: number;
  /** How long a completed Operation stays. */
  readonly keepOperationsMs: number;
  /** Whether both sides are compared at intervals, and what disagrees is put right. */
  readonly selfHealing: boolean;
  /** How often that is, and credentials that worked are tried again. */
  readonly healMs: number;
}

export const defaultServiceSettings: ServiceSettings = {
  quotas: { deployments: 1_000, environments: 50, credentials: 200 },
  refusedHosts: [],
  concurrency: 16,
  perTenant: 2,
  longConcurrency: 16,
  longPerTenant: 2,
  pollMs: 10_000,
  leaseMs: 30_000,
  keepOperationsMs: 60_000,
  selfHealing: true,
  healMs: 300_000,
};

const quotaAnnotation = 'managed-gitops.redhat.com/quota';

/** A namespace may be given other limits by whoever manages namespaces: `deployments=50,environments=5`. */
export function quotasOf(annotations: Readonly<Record<string, string>> | undefined, defaults: Quotas): Quotas {
  const given = Object.fromEntries(
    (annotations?.[quotaAnnotation] ?? '').split(',').flatMap((part) => {
      const [name = '', value = ''] = part.split('=').map((text) => text.trim());
      return name in defaults && /^\d+$/u.test(value) ? [[name, Number(value)]] : [];
    }),
  );
  return { ...defaults, ...given };
}
