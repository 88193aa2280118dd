import { join } from 'node:path';
import { messageOf } from '@fairlead/apimachinery';
import { type Logger, systemClock, systemRandom } from '@fairlead/kube';
import {
  defaultServiceSettings,
  type HostKind,
  type OpenDatabase,
  openPglite,
  openPostgres,
  probeCluster,
  type RunningService,
  repositoryProbe,
  type ServicePart,
  startService as start,
} from '@fairlead/service';
import { CliError } from '../cli-error.ts';
import { roleLeases } from './leases.ts';
import type { Role, RoleContext } from './role.ts';
import { followTrust } from './trust.ts';

export interface ServiceOptions {
  /** PostgreSQL; PGlite in `dataDir` by default. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly cacheDir: string;
  readonly selfHealing: boolean;
  /** Address ranges that tenants' repositories and clusters must not use. */
  readonly refusedHosts: readonly HostKind[];
  /** Non-public addresses that tenants' repositories may be on. */
  readonly allowedNetworks: string;
}

export interface ServiceRunning extends RunningService {
  /** A description of the database. */
  readonly database: string;
}

/** The multi-tenant service. Both parts in one process share one database connection pool. */
export const serviceRole: Role<ServiceOptions, ServiceRunning> = {
  id: 'service',
  name: 'multi-tenant service',
  start: (options, context, signal) => startParts(options, context, signal, ['backend', 'agent']),
};

/** Reconciles tenants' resources into the database. One replica works at a time. */
export const serviceBackendRole: Role<ServiceOptions, ServiceRunning> = {
  id: 'service-backend',
  name: 'service backend',
  lease: roleLeases.service,
  start: (options, context, signal) => startParts(options, context, signal, ['backend']),
};

/** Carries out Operations. Replicas claim the Operations that they work on, so all of them work. */
export const serviceAgentRole: Role<ServiceOptions, ServiceRunning> = {
  id: 'service-agent',
  name: 'service agent',
  start: (options, context, signal) => startParts(options, context, signal, ['agent']),
};

async function startParts(
  options: ServiceOptions,
  { client, environment, registry, log, report }: RoleContext,
  signal: AbortSignal,
  parts: readonly ServicePart[],
): Promise<ServiceRunning> {
  const shared = { clock: systemClock, random: systemRandom, log };
  // Before the database is opened: its process would be left behind if this failed.
  const trust = await followTrust(client, environment.namespace, shared, signal);
  const database = await openDatabase({ ...options, log }, signal);
  const repositories = repositoryProbe({
    cacheDir: join(options.cacheDir, 'probes'),
    environment: environment.processes,
    clock: systemClock,
    trust,
    allowedNetworks: options.allowedNetworks,
  });
  const close = async (): Promise<void> => {
    repositories.close();
    await database.close();
  };
  try {
    const service = await start(
      {
        client,
        database,
        namespace: environment.namespace,
        ...(environment.key === undefined ? {} : { key: environment.key }),
        parts,
        registry,
        ...(report ? { report } : {}),
        probeCluster,
        probeRepository: repositories.probe,
        settings: {
          ...defaultServiceSettings,
          selfHealing: options.selfHealing,
          refusedHosts: options.refusedHosts,
          allowedNetworks: options.allowedNetworks,
        },
        ...shared,
      },
      signal,
    );
    return { ...service, stopped: service.stopped.finally(close), database: database.description };
  } catch (error) {
    await close();
    throw error;
  }
}

export const openDatabase = (
  { databaseUrl, dataDir, log }: Pick<ServiceOptions, 'databaseUrl' | 'dataDir'> & { readonly log: Logger },
  signal?: AbortSignal,
): Promise<OpenDatabase> =>
  databaseUrl === undefined
    ? openPglite({ dataDir, ...(signal ? { signal } : {}) })
    : openPostgres({ url: databaseUrl, clock: systemClock, random: systemRandom, log }).catch((error: unknown) => {
        throw new CliError(`the database of DATABASE_URL cannot be used: ${messageOf(error)}`, { cause: error });
      });
