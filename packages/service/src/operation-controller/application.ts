import { type Application, type ApplicationSpec, applicationKind } from '@fairlead/api';
import { isAlreadyExists, isNotFound, type KubeObject, listAt } from '@fairlead/apimachinery';
import { createMergePatch } from '@fairlead/engine';
import { stableHash } from '../stable-hash.ts';
import { applicationNameOf, type OperationRow } from '../store/index.ts';
import type { OperationContext } from './context.ts';
import { idLabel, observedApplication, tenantLabel } from './observed-application.ts';
import { ensureProject, isOpenFor } from './project.ts';
import { gone, reached, type Step, waits } from './step.ts';

const cascade = 'resources-finalizer.argocd.argoproj.io';

/** Row and no Application: create. No row: delete. Both and different: update. */
export async function reconcileApplication(
  context: OperationContext,
  operation: OperationRow,
  signal: AbortSignal,
): Promise<Step> {
  const { db, metrics, clock } = context;
  const row = await db
    .selectFrom('application')
    .selectAll()
    .where('application_id', '=', operation.resource_id)
    .executeTakeFirst();
  if (!row) return remove(context, operation, signal);
  const { clusteruser_id: tenant } = row;
  if (!isOpenFor(context, tenant, row.spec_field)) await ensureProject(context, tenant, signal);
  if (await put(context, desiredApplication(context, row), signal)) {
    metrics.down.observe({}, (clock.now() - operation.requested_on.getTime()) / 1000);
  }
  return reached;
}

export function desiredApplication(
  { instance }: Pick<OperationContext, 'instance'>,
  row: { readonly application_id: string; readonly clusteruser_id: string; readonly spec_field: ApplicationSpec },
): Application {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: applicationNameOf(row.application_id),
      namespace: instance.namespace,
      labels: { [idLabel]: row.application_id, [tenantLabel]: row.clusteruser_id },
      finalizers: [cascade],
    },
    spec: row.spec_field,
  };
}

/** Returns whether anything was written. */
async function put(context: OperationContext, desired: Application, signal: AbortSignal): Promise<boolean> {
  const { client, applications } = context;
  const { name, namespace = '' } = desired.metadata;
  const seen = applications.get(`${namespace}/${name}`);
  if (seen?.specHash === stableHash(desired.spec) && !seen.metadata.deletionTimestamp) return false;
  if (!seen) {
    try {
      applications.wrote(
        observedApplication(await client.create<Application>(applicationKind.type, desired, { signal })),
      );
      return true;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
  if (seen && !seen.metadata.deletionTimestamp) {
    const body = { spec: wholeSpec(desired.spec) };
    const written = await client.patch<Application>(applicationKind.type, { namespace, name }, 'merge', body, {
      signal,
    });
    applications.wrote(observedApplication(written));
    if (stableHash(written.spec) === stableHash(desired.spec)) return true;
  }
  return putExactly(context, desired, signal);
}

/** A merge patch keeps fields that it does not name: optional fields of our specs are set to null. */
const wholeSpec = ({ source, destination, syncPolicy, ...spec }: ApplicationSpec): object => ({
  ...spec,
  source: { targetRevision: null, ...source },
  destination: { server: null, name: null, ...destination },
  syncPolicy: { automated: null, ...syncPolicy },
});

/** Compares with the live object: someone else may have added fields. */
async function putExactly(context: OperationContext, desired: Application, signal: AbortSignal): Promise<boolean> {
  const { client, applications } = context;
  const { name, namespace = '' } = desired.metadata;
  const live = await client.get<Application>(applicationKind.type, { namespace, name }, { signal });
  // Deleted by someone else: it is created again once it is gone.
  if (live.metadata.deletionTimestamp) throw new Error(`the Application ${name} is being deleted by someone else`);
  const patch = createMergePatch(specOnly(live), specOnly(desired));
  if (!patch) {
    applications.wrote(observedApplication(live));
    return false;
  }
  const body = { ...patch, metadata: { resourceVersion: live.metadata.resourceVersion } };
  const written = await client.patch<Application>(applicationKind.type, { namespace, name }, 'merge', body, { signal });
  applications.wrote(observedApplication(written));
  return true;
}

const specOnly = ({
  apiVersion,
  kind,
  spec,
  metadata: { name },
}: Application): KubeObject & { spec: ApplicationSpec } => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});

/** Deletes the Application and what it has deployed. Done only when it no longer exists. */
async function remove(context: OperationContext, operation: OperationRow, signal: AbortSignal): Promise<Step> {
  const { client, instance, applications } = context;
  const key = { namespace: instance.namespace, name: applicationNameOf(operation.resource_id) };
  try {
    const answer = await client.delete(applicationKind.type, key, { signal });
    if (listAt(answer, 'metadata', 'finalizers').length > 0)
      return waits('waiting until everything that was deployed is deleted');
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  applications.gone(`${key.namespace}/${key.name}`);
  await ensureProject(context, operation.operation_owner_user_id, signal);
  return gone;
}
