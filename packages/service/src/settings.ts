import type { HostKind } from './host-kind.ts';

/** How many resources a tenant may have. Further ones are refused with a condition. */
export interface Quotas {
  readonly deployments: number;
  readonly environments: number;
  readonly credentials: number;
}

export interface ServiceSettings {
  /** For tenants whose namespace has no quota annotation. */
  readonly quotas: Quotas;
  /** Hosts that tenants' repositories and clusters may not be on. */
  readonly refusedHosts: readonly HostKind[];
  /** The non-public addresses that tenants' repositories may be on, for projects that have no other annotation. */
  readonly allowedNetworks: string;
  /** How many short reconciles run at once, in total and for one tenant. */
  readonly concurrency: number;
  readonly perTenant: number;
  /** How many reconciles that wait for other servers run at once, in total and for one tenant. */
  readonly longConcurrency: number;
  readonly longPerTenant: number;
  /** How often the database is polled for lost notifications. */
  readonly pollMs: number;
  /** How long a claim on an Operation is valid. */
  readonly leaseMs: number;
  /** How long a completed Operation is kept. */
  readonly keepOperationsMs: number;
  /** Whether both sides are compared periodically, and differences corrected. */
  readonly selfHealing: boolean;
  /** How often that happens, and credentials that worked are tried again. */
  readonly healMs: number;
}

export const defaultServiceSettings: ServiceSettings = {
  quotas: { deployments: 1_000, environments: 50, credentials: 200 },
  refusedHosts: [],
  allowedNetworks: '*',
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

/** The administrator of namespaces may set other limits: `deployments=50,environments=5`. */
export function quotasOf(annotations: Readonly<Record<string, string>> | undefined, defaults: Quotas): Quotas {
  const given = Object.fromEntries(
    (annotations?.[quotaAnnotation] ?? '').split(',').flatMap((part) => {
      const [name = '', value = ''] = part.split('=').map((text) => text.trim());
      return Object.hasOwn(defaults, name) && /^\d+$/u.test(value) ? [[name, Number(value)]] : [];
    }),
  );
  return { ...defaults, ...given };
}
