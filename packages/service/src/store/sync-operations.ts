import { sql } from 'kysely';
import type { Database, SyncOperationTable, SyncPhase, Tx } from '../database/index.ts';
import type { ArgocdInstance } from './argocd-instance.ts';
import { putMapping, removeMapping } from './environments.ts';
import { changeChannel, formatChange, notify } from './notifications.ts';
import { requestOperation } from './operations.ts';

export const syncRunType = 'GitOpsDeploymentSyncRun';

export interface SyncRow extends SyncOperationTable {
  readonly namespace: string;
  readonly name: string;
}

/** The rows of some sync runs, and of all others of the deployment. */
export async function syncRowsOf(
  db: Database,
  {
    namespace,
    deployment,
    uids,
  }: { readonly namespace: string; readonly deployment: string; readonly uids: readonly string[] },
): Promise<SyncRow[]> {
  return db
    .selectFrom('apicrtodatabasemapping as m')
    .innerJoin('syncoperation as s', 's.syncoperation_id', 'm.db_relation_key')
    .selectAll('s')
    .select(['m.api_resource_namespace as namespace', 'm.api_resource_name as name'])
    .where('m.api_resource_type', '=', syncRunType)
    .where('m.api_resource_namespace', '=', namespace)
    .where((where) =>
      uids.length > 0
        ? where.or([where('s.deployment_name', '=', deployment), where('s.syncoperation_id', 'in', [...uids])])
        : where('s.deployment_name', '=', deployment),
    )
    .execute();
}

export async function syncOperationById(db: Database, id: string): Promise<SyncOperationTable | undefined> {
  return db.selectFrom('syncoperation').selectAll().where('syncoperation_id', '=', id).executeTakeFirst();
}

export interface SyncStart {
  readonly id: string;
  readonly name: string;
  readonly tenant: { readonly uid: string; readonly namespace: string };
  readonly application: string;
  readonly deployment: string;
  readonly revision: string;
  readonly instance: ArgocdInstance;
  readonly now: Date;
}

/** Writes row, mapping and Operation of a sync run in one transaction. One that waited for its deployment gets the new one. */
export async function startSync(tx: Tx, start: SyncStart): Promise<void> {
  const { id, tenant, instance, now } = start;
  await tx
    .insertInto('syncoperation')
    .values({
      syncoperation_id: id,
      application_id: start.application,
      clusteruser_id: tenant.uid,
      deployment_name: start.deployment,
      revision: start.revision,
      desired_state: 'Running',
      phase: 'Waiting',
      message: '',
      created_on: now,
      updated_on: now,
    })
    .onConflict((conflict) =>
      conflict.column('syncoperation_id').doUpdateSet({ application_id: start.application, updated_on: now }),
    )
    .execute();
  await putMapping(tx, syncRunType, start, 'SyncOperation');
  await requestOperation(tx, { instance, type: 'SyncOperation', id, tenant: tenant.uid, requestedOn: now, now });
}

/** The sync run was deleted: one that may be running is terminated first, and the operation controller deletes its row. */
export async function stopSync(tx: Tx, row: SyncRow, instance: ArgocdInstance, now: Date): Promise<void> {
  if (!isUnderWay(row.phase)) return removeSync(tx, row.syncoperation_id);
  await tx
    .updateTable('syncoperation')
    .set({ desired_state: 'Terminated', updated_on: now })
    .where('syncoperation_id', '=', row.syncoperation_id)
    .execute();
  const tenant = row.clusteruser_id;
  await requestOperation(tx, {
    instance,
    type: 'SyncOperation',
    id: row.syncoperation_id,
    tenant,
    requestedOn: now,
    now,
  });
}

export const isUnderWay = (phase: SyncPhase): boolean => phase === 'Waiting' || phase === 'Running';

export async function removeSync(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('syncoperation').where('syncoperation_id', '=', id).execute();
  await removeMapping(tx, syncRunType, id);
}

/** Records the phase of a sync. A completed sync does not start again. */
export async function noteSyncPhase(
  db: Database,
  id: string,
  phase: SyncPhase,
  message: string,
  now: Date,
): Promise<void> {
  const { rows } = await sql`
    UPDATE syncoperation SET phase = ${phase}, message = ${message}, updated_on = ${now}
    WHERE syncoperation_id = ${id} AND phase IN ('Waiting', 'Running') AND (phase, message) <> (${phase}, ${message})
    RETURNING 1`.execute(db);
  if (rows.length > 0)
    await notify(db, changeChannel, [formatChange({ type: 'SyncOperation', id, at: now.getTime() })]);
}

/** Sync runs after a key, in the order of keys. */
export async function syncRunNamesAfter(db: Database, after: string, limit: number) {
  return db
    .selectFrom('apicrtodatabasemapping as m')
    .innerJoin('syncoperation as s', 's.syncoperation_id', 'm.db_relation_key')
    .select(['s.syncoperation_id as uid', 'm.api_resource_namespace as namespace', 's.deployment_name as deployment'])
    .where('m.api_resource_type', '=', syncRunType)
    .where('s.syncoperation_id', '>', after)
    .orderBy('s.syncoperation_id')
    .limit(limit)
    .execute();
}
