import type { AppProject } from '@fairlead/api';
import type { ApiClient, Clock, Logger, Random } from '@fairlead/kube';
import type { Cipher } from '../cipher.ts';
import type { Database } from '../database/index.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { OwnWrites } from '../own-writes.ts';
import type { ServiceSettings } from '../settings.ts';
import type { ArgocdInstance } from '../store/index.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import type { ObservedApplication } from './observed-application.ts';

/** The dependencies of Operations. */
export interface OperationContext {
  /** The API with Argo CD's Applications. */
  readonly client: ApiClient;
  readonly db: Database;
  readonly instance: ArgocdInstance;
  readonly cipher: Cipher;
  readonly applications: OwnWrites<ObservedApplication>;
  readonly projects: OwnWrites<AppProject>;
  /** Only one Operation at a time writes a tenant's project. */
  readonly projectMutex: KeyedMutex;
  readonly settings: ServiceSettings;
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}
