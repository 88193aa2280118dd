import type { KubeObject } from '@fairlead/apimachinery';
import type { ResourceId } from '../resource-id.ts';

export const syncPhases = ['PreSync', 'Sync', 'PostSync', 'SyncFail'] as const;
export type SyncPhase = (typeof syncPhases)[number];

/** One thing to do to one object. */
export interface SyncTask {
  readonly id: ResourceId;
  readonly phase: SyncPhase;
  readonly wave: number;
  readonly action: 'apply' | 'prune';
  /** Run in this phase and waited for, and not part of what is kept. */
  readonly hook: boolean;
  /** What to apply; absent for a prune. */
  readonly target?: KubeObject;
  /** What is there now, as far as is known. */
  readonly live?: KubeObject;
  /** Live is as the target wants it. */
  readonly inSync?: boolean;
}

export type ResultCode = 'Synced' | 'SyncFailed' | 'Pruned' | 'PruneSkipped';

/** How far a task has come; what Argo CD calls a hook phase, though resources have it too. */
export type TaskPhase = 'Running' | 'Succeeded' | 'Failed' | 'Error';

export interface TaskResult {
  readonly status: ResultCode;
  /** Absent for a task that could not even be started. */
  readonly phase?: TaskPhase;
  readonly message: string;
}

/** A task, what earlier passes did about it, and the live object as it was read just now. */
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

/** `apps/Deployment/web`, as messages name it. */
export const taskName = ({ id: { group, kind, name } }: SyncTask): string => `${group}/${kind}/${name}`;
