import { type Application, applicationKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import type { SyncOperationTable, SyncPhase } from '../database/index.ts';
import { applicationNameOf, noteSyncPhase, type OperationRow, removeSync, syncOperationById } from '../store/index.ts';
import type { OperationContext } from './context.ts';
import { observedApplication, syncAnnotation } from './observed-application.ts';
import { reached, type Step, waits } from './step.ts';

const infoName = 'SyncOperation';

/** The state of one sync operation of an Application. */
export type SyncView =
  | { readonly kind: 'not started'; readonly busy: boolean }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly phase: SyncPhase; readonly message: string };

/**
 * Reads the state of a sync operation from an Application. The annotation is part of the write that starts the operation, so that it is
 * never started twice, even if something has overwritten the operation since.
 */
export function viewSync({ metadata, operation, status }: Application, id: string): SyncView {
  const state = status?.operationState;
  const live = operation !== undefined || state?.phase === 'Running' || state?.phase === 'Terminating';
  if (metadata.annotations?.[syncAnnotation] !== id) return { kind: 'not started', busy: live };
  if (isOf(operation?.info, id)) return { kind: 'running' };
  if (!isOf(state?.operation.info, id))
    return { kind: 'ended', phase: 'Failed', message: 'it was replaced by another operation' };
  if (state?.phase === 'Running' || state?.phase === 'Terminating') return { kind: 'running' };
  const message = state?.message ?? '';
  return { kind: 'ended', phase: state?.phase === 'Succeeded' ? 'Succeeded' : 'Failed', message };
}

const isOf = (info: readonly { readonly name: string; readonly value: string }[] | undefined, id: string): boolean =>
  info?.some(({ name, value }) => name === infoName && value === id) ?? false;

/** Running: the sync is started and followed until it completes. Terminated: it is terminated, and its row deleted. */
export async function reconcileSync(
  context: OperationContext,
  operation: OperationRow,
  signal: AbortSignal,
): Promise<Step> {
  const { db, clock } = context;
  const id = operation.resource_id;
  const row = await syncOperationById(db, id);
  if (!row) return reached;
  const application = row.application_id === null ? undefined : await read(context, row.application_id, signal);
  const view = application ? viewSync(application, id) : ({ kind: 'not started', busy: false } as const);
  const now = new Date(clock.now());
  if (row.desired_state === 'Terminated') {
    if (application && view.kind === 'running') {
      await terminate(context, application, signal);
      return waits('ending the sync');
    }
    await db.transaction().execute((tx) => removeSync(tx, id));
    return reached;
  }
  if (view.kind === 'ended') {
    await noteSyncPhase(db, id, view.phase, view.message, now);
    return reached;
  }
  if (row.application_id === null) {
    // Deleted before it started: a new deployment starts it. Deleted afterwards: it may have started, and must not start again.
    if (row.phase === 'Running') await noteSyncPhase(db, id, 'Failed', 'its GitOpsDeployment was deleted', now);
    return reached;
  }
  if (!application) return waits('waiting for the Application');
  if (view.kind === 'running') {
    await noteSyncPhase(db, id, 'Running', '', now);
    return waits('syncing');
  }
  if (view.busy) return waits('another operation of the Application is in progress');
  // Recorded before the start, so that after a crash it counts as possibly started.
  await noteSyncPhase(db, id, 'Running', '', now);
  await start(context, application, row, signal);
  return waits('syncing');
}

async function read(
  { client, instance }: OperationContext,
  id: string,
  signal: AbortSignal,
): Promise<Application | undefined> {
  try {
    const key = { namespace: instance.namespace, name: applicationNameOf(id) };
    return await client.get<Application>(applicationKind.type, key, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function start(
  context: OperationContext,
  application: Application,
  row: SyncOperationTable,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name, resourceVersion } = application.metadata;
  const { syncOptions } = application.spec.syncPolicy ?? {};
  const body = {
    metadata: { resourceVersion, annotations: { [syncAnnotation]: row.syncoperation_id } },
    operation: {
      info: [{ name: infoName, value: row.syncoperation_id }],
      initiatedBy: { username: 'gitops-service' },
      sync: {
        ...(row.revision === '' ? {} : { revision: row.revision }),
        prune: true,
        ...(syncOptions ? { syncOptions } : {}),
      },
    },
  };
  const written = await context.client.patch<Application>(applicationKind.type, { namespace, name }, 'merge', body, {
    signal,
  });
  context.applications.wrote(observedApplication(written));
}

/** A running operation ends at its next step; one that has not started is removed. */
async function terminate({ client }: OperationContext, application: Application, signal: AbortSignal): Promise<void> {
  const { namespace = '', name, resourceVersion } = application.metadata;
  const phase = application.status?.operationState?.phase;
  if (phase === 'Terminating') return;
  const change = phase === 'Running' ? { status: { operationState: { phase: 'Terminating' } } } : { operation: null };
  await client.patch(
    applicationKind.type,
    { namespace, name },
    'merge',
    { metadata: { resourceVersion }, ...change },
    { signal },
  );
}
