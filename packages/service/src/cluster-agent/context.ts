import type { AppProject } from '@fairlead/api';
import type { ApiClient, Clock, Logger, Random } from '@fairlead/kube';
import type { Cipher } from '../cipher.ts';
import type { Database } from '../database/index.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { OwnWrites } from '../own-writes.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Engine } from '../store/index.ts';
import type { SeenApplication } from './seen-application.ts';
import type { Turns } from './turns.ts';

/** Everything that carrying out an Operation needs from outside. */
export interface AgentContext {
  /** The API in which the engine's Applications live. */
  readonly client: ApiClient;
  readonly db: Database;
  readonly engine: Engine;
  readonly cipher: Cipher;
  readonly applications: OwnWrites<SeenApplication>;
  readonly projects: OwnWrites<AppProject>;
  /** A tenant's project is written by one at a time. */
  readonly projectTurns: Turns;
  readonly settings: ServiceSettings;
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}
