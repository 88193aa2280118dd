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
  annotations: destinationOf(regarding),
});

/** The destination, as Argo CD marks events with it. */
const destinationOf = ({ spec: { destination } }: Application): Record<string, string> => ({
  ...(destination.namespace ? { 'dest-namespace': destination.namespace } : {}),
  ...(destination.server ? { 'dest-server': destination.server } : {}),
});

/** The start of an automated sync, with what the refresh that started it has changed: one write, one event. */
export const syncStarted = (before: Application, started: Application, revisions: string): NewEvent =>
  normal(
    started,
    'OperationStarted',
    'Sync',
    [`Initiated automated sync to '${revisions}'`, ...updates(before, started)].join('; '),
  );

/** The end of a sync, with what the comparison after it has changed. */
export function syncEnded(application: Application, state: OperationState, written = application): NewEvent {
  const { phase, message = '', syncResult, operation } = state;
  const revision = syncResult?.revisions?.join(', ') ?? syncResult?.revision ?? '';
  const what = operation.sync?.resources?.length ? 'Partial sync operation' : 'Sync operation';
  const ended = `${what}${revision ? ` to ${revision}` : ''}`;
  if (phase === 'Succeeded') {
    const note = [`${ended} succeeded`, ...updates(application, written)].join('; ');
    return normal(application, 'OperationCompleted', 'Sync', note);
  }
  return {
    regarding: application,
    type: 'Warning',
    reason: 'OperationCompleted',
    action: 'Sync',
    note: `${ended} failed: ${message}`.slice(0, 1000),
    annotations: destinationOf(application),
  };
}

/** `DeletionError` is recorded where it is written. */
const quiet = conditionTypesWhere(({ event, writer }) => !event && writer === 'refresh');

/** Changes of sync and health status, in Argo CD's words. */
function updates(before: Application, after: Application): string[] {
  const update = (what: string, from: string | undefined, to: string | undefined): string[] =>
    to === undefined || from === to ? [] : [`Updated ${what} status: ${from ?? ''} -> ${to}`];
  return [
    ...update('sync', before.status?.sync?.status, after.status?.sync?.status),
    ...update('health', before.status?.health?.status, after.status?.health?.status),
  ];
}

/** Events for what a refresh changed: one for sync and health status, and one for each new condition. */
export function statusChanges(before: Application, after: Application): NewEvent[] {
  const changes = updates(before, after);
  const updated = changes.length > 0 ? [normal(after, 'ResourceUpdated', 'Refresh', changes.join('; '))] : [];
  return [...updated, ...newConditions(before, after)];
}

export function newConditions(before: Application, after: Application): NewEvent[] {
  const known = new Set((before.status?.conditions ?? []).map(({ type, message }) => `${type} ${message}`));
  return (after.status?.conditions ?? []).flatMap(({ type, message }): NewEvent[] => {
    if (quiet.has(type) || known.has(`${type} ${message}`)) return [];
    const note = message.slice(0, 1000);
    const annotations = destinationOf(after);
    return [{ regarding: after, type: 'Warning', reason: type, action: 'Refresh', note, annotations }];
  });
}
