import { type Application, applicationKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import type { SyncOperationTable, SyncPhase } from '../database/index.ts';
import { applicationNameOf, noteSyncPhase, type OperationRow, removeSync, syncOperationById } from '../store/index.ts';
import type { OperationContext } from './context.ts';
import { observedApplication, syncAnnotation } from './observed-application.ts';
import { reached, type Step, waits } from './step.ts';

const infoName = 'SyncOperation';

/** How an Application stands with one sync operation. */
export type SyncView =
  | { readonly kind: 'not started'; readonly busy: boolean }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly phase: SyncPhase; readonly message: string };

/**
 * Reads from an Application what has become of a sync operation. The annotation says that it was begun, in the very write that began it:
 * so it is never begun twice, whatever else has overwritten the operation's own traces since.
 */
export function viewSync({ metadata, operation, status }: Application, id: string): SyncView {
  const state = status?.operationState;
  const live = operation !== undefined || state?.phase === 'Running' || state?.phase === 'Terminating';
  if (metadata.annotations?.[syncAnnotation] !== id) return { kind: 'not started', busy: live };
  if (isOf(operation?.info, id)) return { kind: 'running' };
  if (!isOf(state?.operation.info, id))
    return { kind: 'ended', phase: 'Failed', message: 'another operation took its place' };
  if (state?.phase === 'Running' || state?.phase === 'Terminating') return { kind: 'running' };
  const message = state?.message ?? '';
  return { kind: 'ended', phase: state?.phase === 'Succeeded' ? 'Succeeded' : 'Failed', message };
}

const isOf = (info: readonly { readonly name: string; readonly value: string }[] | undefined, id: string): boolean =>
  info?.some(({ name, value }) => name === infoName && value === id) ?? false;

/** Running: the sync is begun, and followed to its end. Terminated: it is ended, and its row removed. */
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
    // Deleted before its turn came: a new deployment takes it up. Deleted after: it may have begun, and begins no second time.
    if (row.phase === 'Running') await noteSyncPhase(db, id, 'Failed', 'its GitOpsDeployment was deleted', now);
    return reached;
  }
  if (!application) return waits('waiting for the Application');
  if (view.kind === 'running') {
    await noteSyncPhase(db, id, 'Running', '', now);
    return waits('syncing');
  }
  if (view.busy) return waits('another operation of the Application is under way');
  // Before, and not after: whoever finds it so knows that it may have begun.
  await noteSyncPhase(db, id, 'Running', '', now);
  await begin(context, application, row, signal);
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

async function begin(
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

/** What is under way ends at its next step; what has not been taken up yet is taken back. */
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
