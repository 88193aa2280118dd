import type { ResourceResult } from '@fairlead/api';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { type HealthOf, type ResourceId, type SyncOptions, type SyncTask, syncOptions } from '@fairlead/engine';
import type { Clock } from '@fairlead/kube';
import type { Cluster } from '../cluster/cluster.ts';

/** A sync to be carried on by one pass. */
export interface SyncRequest {
  readonly cluster: Cluster;
  /** All that there is to do, in order. */
  readonly tasks: readonly SyncTask[];
  /** The destination's namespace: where it is missing, and this sync brings it, it comes before all. */
  readonly namespace: string;
  readonly syncOptions: readonly string[];
  /** Why the project does not permit an object; undefined when it does. */
  readonly refusal: (id: ResourceId) => string | undefined;
  readonly prune: boolean;
  /** A person has approved what is to be pruned only after approval. */
  readonly pruneConfirmed: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  /** Whose client-side fields server-side apply takes over; kubectl's when not given. */
  readonly migrateFrom?: string;
  /** What earlier passes of the same sync did. */
  readonly results: readonly ResourceResult[];
  /** Fields of an object that are left as they are in the cluster, as JSON pointers. */
  readonly ignored: (id: ResourceId) => readonly string[];
  /** The health of live objects. */
  readonly assess: (live: readonly KubeObject[]) => Promise<HealthOf>;
  /** The Application's live objects, as the watch knows them. */
  readonly watched: () => readonly KubeObject[];
  /** Called with each version that was written. */
  readonly onWritten?: (object: KubeObject) => void;
  /** Whether a live object is the Application's. */
  readonly owns: (live: KubeObject) => boolean;
  /** How long controllers of other kinds get to observe what was applied before its health counts. */
  readonly waveDelayMs: number;
  /** Persists the progress of the sync. False: the operation is no longer ours to continue. */
  readonly save: (progress: SyncProgress) => Promise<boolean>;
  /** Asked before anything is done: a sentence while the sync must wait. */
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

/** How the cluster serves an object's kind, in the version of the manifest. */
export const typeOf = ({ cluster }: SyncRequest, object: KubeObject): ResourceType | undefined =>
  cluster.kinds.find(object.apiVersion, object.kind);
