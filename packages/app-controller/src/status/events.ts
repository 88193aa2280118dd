import type { Application, OperationState } from '@fairlead/api';
import type { NewEvent } from '@fairlead/kube';
import { conditionTypesWhere } from './conditions.ts';

/** Where events about Applications go. `record` neither waits nor throws. */
export interface Events {
  record(event: NewEvent): void;
}

export const noEvents: Events = { record: () => {} };

const normal = (regarding: Application, reason: string, action: string, note: string): NewEvent => ({
  regarding,
  type: 'Normal',
  reason,
  action,
  note,
});

export const syncStarted = (application: Application, revisions: string): NewEvent =>
  normal(application, 'OperationStarted', 'Sync', `Initiated automated sync to '${revisions}'`);

export function syncEnded(application: Application, state: OperationState): NewEvent {
  const { phase, message = '', syncResult, operation } = state;
  const revision = syncResult?.revisions?.join(', ') ?? syncResult?.revision ?? '';
  const what = operation.sync?.resources?.length ? 'Partial sync operation' : 'Sync operation';
  const ended = `${what}${revision ? ` to ${revision}` : ''}`;
  if (phase === 'Succeeded') return normal(application, 'OperationCompleted', 'Sync', `${ended} succeeded`);
  return {
    regarding: application,
    type: 'Warning',
    reason: 'OperationCompleted',
    action: 'Sync',
    note: `${ended} failed: ${message}`.slice(0, 1000),
  };
}

/** `DeletionError` is recorded where it is written. */
const quiet = conditionTypesWhere(({ event, writer }) => !event && writer === 'refresh');

/** Events for what a refresh changed: sync status, health status, and each new condition. */
export function statusChanges(before: Application, after: Application): NewEvent[] {
  const changes: NewEvent[] = [];
  const compare = (what: string, from: string | undefined, to: string | undefined): void => {
    if (to !== undefined && from !== to)
      changes.push(normal(after, 'ResourceUpdated', 'Refresh', `Updated ${what} status: ${from ?? ''} -> ${to}`));
  };
  compare('sync', before.status?.sync?.status, after.status?.sync?.status);
  compare('health', before.status?.health?.status, after.status?.health?.status);
  const known = new Set((before.status?.conditions ?? []).map(({ type, message }) => `${type} ${message}`));
  for (const { type, message } of after.status?.conditions ?? []) {
    if (quiet.has(type) || known.has(`${type} ${message}`)) continue;
    const note = message.slice(0, 1000);
    changes.push({ regarding: after, type: 'Warning', reason: type, action: 'Refresh', note });
  }
  return changes;
}
