import type { ResourceResult } from '@fairlead/api';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { type HealthOf, type ResourceId, type SyncOptions, type SyncTask, syncOptions } from '@fairlead/engine';
import type { Clock } from '@fairlead/kube';
import type { Cluster } from '../cluster/cluster.ts';

/** A sync to be continued by one pass. */
export interface SyncRequest {
  readonly cluster: Cluster;
  /** All tasks, in order. */
  readonly tasks: readonly SyncTask[];
  /** The destination namespace: if it is missing and this sync creates it, it is created first. */
  readonly namespace: string;
  readonly syncOptions: readonly string[];
  /** Why the project does not permit an object; undefined when it does. */
  readonly refusal: (id: ResourceId) => string | undefined;
  readonly prune: boolean;
  /** Pruning that needs confirmation was approved. */
  readonly pruneConfirmed: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  /** The field managers whose client-side fields server-side apply takes over; kubectl by default. */
  readonly migrateFrom?: string;
  /** The results of earlier passes of the same sync. */
  readonly results: readonly ResourceResult[];
  /** Ignored fields of an object that are not changed, as JSON pointers. */
  readonly ignored: (id: ResourceId) => readonly string[];
  /** The health of live objects. */
  readonly assess: (live: readonly KubeObject[]) => Promise<HealthOf>;
  /** The cached live objects of the Application. */
  readonly watched: () => readonly KubeObject[];
  /** Called with each version that was written. */
  readonly onWritten?: (object: KubeObject) => void;
  /** Whether a live object belongs to the Application. */
  readonly owns: (live: KubeObject) => boolean;
  /** How long controllers of other kinds get to observe applied objects before their health counts. */
  readonly waveDelayMs: number;
  /** Persists the progress of the sync. False: the operation is no longer ours to continue. */
  readonly save: (progress: SyncProgress) => Promise<boolean>;
  /** Called before anything is done: returns a reason while the sync must wait. */
  readonly hold: () => Promise<string | undefined>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface SyncProgress {
  readonly phase: 'Running' | 'Succeeded' | 'Failed' | 'Error';
  readonly message: string;
  readonly results: readonly ResourceResult[];
}

export const optionsOf = (request: SyncRequest, task: SyncTask): SyncOptions =>
  syncOptions(request.syncOptions, task.target ?? task.live);

/** The resource type of an object, in the version of the manifest. */
export const typeOf = ({ cluster }: SyncRequest, object: KubeObject): ResourceType | undefined =>
  cluster.kinds.find(object.apiVersion, object.kind);
