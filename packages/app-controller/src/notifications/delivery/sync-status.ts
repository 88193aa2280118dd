import { textAt } from '@fairlead/apimachinery';

/**
 * Whether the sync status of an Application is newer than its last operation. A notification about a finished sync must not say what was
 * compared before it.
 */
export function isSyncStatusCurrent(application: unknown): boolean {
  const phase = textAt(application, 'status', 'operationState', 'phase');
  if (!['Failed', 'Error', 'Succeeded'].includes(phase)) return true;
  const finished = timeAt(application, 'status', 'operationState', 'finishedAt');
  if (finished === undefined) return false;
  return [timeAt(application, 'status', 'reconciledAt'), timeAt(application, 'status', 'observedAt')].some(
    (compared) => compared !== undefined && finished <= compared,
  );
}

function timeAt(application: unknown, ...path: string[]): number | undefined {
  const time = Date.parse(textAt(application, ...path));
  return Number.isNaN(time) ? undefined : time;
}
