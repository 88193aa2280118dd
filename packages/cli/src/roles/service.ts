import { join } from 'node:path';
import { type ApiClient, type Logger, type MetricsRegistry, systemClock, systemRandom } from '@fairlead/kube';
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
import { controlPlaneNamespace } from '../install.ts';
import { followTrust } from './trust.ts';

export interface ServiceRoleOptions {
  readonly client: ApiClient;
  /** PostgreSQL; PGlite in `dataDir` when not given. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly cacheDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What protects credentials in the database; from a Secret when not given. */
  readonly key: string | undefined;
  readonly selfHealing: boolean;
  /** Where tenants' repositories and clusters may not be. */
  readonly refusedHosts: readonly HostKind[];
  readonly parts?: readonly ServicePart[];
  readonly registry?: MetricsRegistry;
  readonly log: Logger;
}

export interface ServiceRole extends RunningService {
  /** Which database, in words. */
  readonly database: string;
}

/** The multi-tenant service. Resolves once it works; `stopped` resolves when it has ended after the signal. */
export async function startService(options: ServiceRoleOptions, signal: AbortSignal): Promise<ServiceRole> {
  const { client, log } = options;
  const shared = { clock: systemClock, random: systemRandom, log };
  // Before the database, whose process must not be left behind when this fails.
  const trust = await followTrust(client, shared, signal);
  const database = await openDatabase(options, signal);
  const repositories = repositoryProbe({
    cacheDir: join(options.cacheDir, 'probes'),
    environment: options.environment,
    clock: systemClock,
    trust,
  });
  const service = await start(
    {
      client,
      database,
      namespace: controlPlaneNamespace,
      ...(options.key === undefined ? {} : { key: options.key }),
      ...(options.parts ? { parts: options.parts } : {}),
      ...(options.registry ? { registry: options.registry } : {}),
      probeCluster,
      probeRepository: repositories.probe,
      settings: {
        ...defaultServiceSettings,
        selfHealing: options.selfHealing,
        refusedHosts: options.refusedHosts,
      },
      ...shared,
    },
    signal,
  ).catch(async (error: unknown) => {
    repositories.close();
    await database.close();
    throw error;
  });
  const stopped = service.stopped.finally(async () => {
    repositories.close();
    await database.close();
  });
  return { ...service, stopped, database: database.description };
}

export const openDatabase = (
  { databaseUrl, dataDir, log }: Pick<ServiceRoleOptions, 'databaseUrl' | 'dataDir' | 'log'>,
  signal?: AbortSignal,
): Promise<OpenDatabase> =>
  databaseUrl === undefined
    ? openPglite({ dataDir, ...(signal ? { signal } : {}) })
    : openPostgres({ url: databaseUrl, clock: systemClock, random: systemRandom, log });
