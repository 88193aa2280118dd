import type { KubeObject } from '@fairlead/apimachinery';
import type { ResourceId } from '../resource-id.ts';

export const syncPhases = ['PreSync', 'Sync', 'PostSync', 'SyncFail'] as const;
export type SyncPhase = (typeof syncPhases)[number];

/** One action on one object. */
export interface SyncTask {
  readonly id: ResourceId;
  readonly phase: SyncPhase;
  readonly wave: number;
  readonly action: 'apply' | 'prune';
  /** A hook of this phase: waited for, and not part of the target state. */
  readonly hook: boolean;
  /** The object to apply; absent for a prune. */
  readonly target?: KubeObject;
  /** The live object, as far as it is known. */
  readonly live?: KubeObject;
  /** Live equals the target. */
  readonly inSync?: boolean;
}

export type ResultCode = 'Synced' | 'SyncFailed' | 'Pruned' | 'PruneSkipped';

/** The progress of a task; Argo CD calls it hook phase, though resources have it too. */
export type TaskPhase = 'Running' | 'Succeeded' | 'Failed' | 'Error';

export interface TaskResult {
  readonly status: ResultCode;
  /** Absent for a task that could not be started. */
  readonly phase?: TaskPhase;
  readonly message: string;
}

/** A task, its result so far, and its current live object. */
export interface TaskState {
  readonly task: SyncTask;
  readonly result?: TaskResult;
  readonly live?: KubeObject;
}

export const isRunning = ({ result }: TaskState): boolean => result?.phase === 'Running';
export const isCompleted = ({ result }: TaskState): boolean =>
  result?.phase === 'Succeeded' || result?.phase === 'Failed' || result?.phase === 'Error';
export const isFailed = ({ result }: TaskState): boolean => result?.phase === 'Failed' || result?.phase === 'Error';
export const isPending = ({ result }: TaskState): boolean => result?.phase === undefined;

/** `apps/Deployment/web`, as in messages. */
export const taskName = ({ id: { group, kind, name } }: SyncTask): string => `${group}/${kind}/${name}`;
