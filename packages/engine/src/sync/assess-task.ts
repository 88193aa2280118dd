import type { Health } from '../health/health.ts';
import { isRunning, type TaskResult, type TaskState, taskName } from './sync-task.ts';

/**
 * The result of a running task, from its live object; undefined if nothing changed. A hook is done when it has ended, a resource when it is
 * healthy. An object without a health is done as soon as it exists.
 */
export function assessTask(
  state: TaskState,
  assess: (live: NonNullable<TaskState['live']>) => Health | undefined,
): TaskResult | undefined {
  const { task, result, live } = state;
  if (!result || !isRunning(state)) return undefined;
  if (!live) {
    const message = `Resource ${taskName(task)} is missing, it might have been deleted`;
    return { status: 'SyncFailed', phase: 'Error', message };
  }
  const health = assess(live);
  const done = (phase: TaskResult['phase'], message: string): TaskResult => ({
    status: result.status,
    ...(phase ? { phase } : {}),
    message: message || result.message,
  });
  if (!health) return done('Succeeded', task.hook ? `${task.id.name} created` : result.message);
  const said = health.message ?? '';
  switch (health.status) {
    case 'Healthy':
      return done('Succeeded', said);
    case 'Degraded':
      return done('Failed', said || health.status);
    case 'Unknown':
      return task.hook ? done('Failed', said || health.status) : undefined;
    default:
      return task.hook && said !== '' && said !== result.message ? done('Running', said) : undefined;
  }
}
