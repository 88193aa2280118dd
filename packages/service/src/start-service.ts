import { randomUUID } from 'node:crypto';
import {
  type ApiClient,
  type Clock,
  type Logger,
  MetricsRegistry,
  type Random,
  type RoleReport,
  sleep,
} from '@fairlead/kube';
import { audit, type Finding } from './audit/audit.ts';
import { Backend } from './backend/backend.ts';
import type { ClusterProbe, RepositoryProbe, ServiceAccountRemoval } from './backend/probes.ts';
import { createCipher } from './cipher.ts';
import { databaseProblem } from './database/database-problem.ts';
import { migrate, type OpenDatabase } from './database/index.ts';
import { findArgocdInstance } from './find-argocd-instance.ts';
import { healing } from './healing.ts';
import { masterKey } from './master-key.ts';
import { serviceMetrics } from './metrics.ts';
import { OperationController } from './operation-controller/operation-controller.ts';
import type { ServiceSettings } from './settings.ts';
import { ensureArgocdInstance } from './store/index.ts';

export type ServicePart = 'backend' | 'agent';

export interface ServiceOptions {
  /** The API with the tenants' resources and Argo CD's Applications. */
  readonly client: ApiClient;
  readonly database: OpenDatabase;
  /** The namespace of the Argo CD instance. */
  readonly namespace: string;
  /** Both if absent. */
  readonly parts?: readonly ServicePart[];
  /** The key that encrypts credentials; from a Secret if absent. */
  readonly key?: string;
  readonly probeCluster: ClusterProbe;
  readonly probeRepository: RepositoryProbe;
  readonly removeServiceAccount?: ServiceAccountRemoval;
  readonly settings: ServiceSettings;
  readonly registry?: MetricsRegistry;
  /** Gets the queues of the parts, and whether the database responds. */
  readonly report?: RoleReport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

export interface RunningService {
  /** Resolves when everything has stopped after the signal. */
  readonly stopped: Promise<void>;
  audit(signal?: AbortSignal): Promise<Finding[]>;
}

/** Starts the service once its database and its API respond, however long that takes. */
export async function startService(options: ServiceOptions, signal: AbortSignal): Promise<RunningService> {
  const { client, database, namespace, clock, random, log, settings, parts = ['backend', 'agent'] } = options;
  options.report?.problem(() => databaseProblem(database, clock));
  const retry = <T>(step: () => Promise<T>): Promise<T> => retryTransient(options, signal, step);
  await retry(() => migrate(database.db));
  const instance = await retry(() => findArgocdInstance(client, namespace));
  await retry(() => ensureArgocdInstance(database.db, instance));
  const cipher = createCipher(await retry(() => masterKey(client, namespace, options.key)));
  const metrics = serviceMetrics(options.registry ?? new MetricsRegistry());
  const shared = { ...options, instance, cipher, metrics, clock, random, log, settings };
  const running: Promise<void>[] = [];
  if (parts.includes('backend')) {
    const backend = new Backend(shared);
    if (options.report) backend.reportTo(options.report);
    running.push(backend.run(signal), healing(shared, backend, signal));
  }
  if (parts.includes('agent')) {
    const agent = new OperationController({ ...shared, owner: randomUUID() });
    if (options.report) agent.reportTo(options.report);
    running.push(agent.run(signal), healing(shared, agent, signal));
  }
  const stopped = Promise.all(running).then(() => {});
  return { stopped, audit: () => audit({ client, db: database.db, instance, cipher, settings, clock }) };
}

async function retryTransient<T>(
  { clock, random, log }: Pick<ServiceOptions, 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn('the service cannot start yet', { error });
      await sleep(clock, Math.min(10_000, 100 * 2 ** Math.min(failures, 10)) * (0.75 + random() / 2), signal);
    }
  }
}

/** Audits a running service from outside, with its database and its API. */
export async function auditService(
  options: Pick<ServiceOptions, 'client' | 'database' | 'namespace' | 'key' | 'settings' | 'clock'>,
): Promise<Finding[]> {
  const { client, database, namespace, key, settings, clock } = options;
  const instance = await findArgocdInstance(client, namespace);
  const cipher = createCipher(await masterKey(client, namespace, key));
  return audit({ client, db: database.db, instance, cipher, settings, clock });
}
