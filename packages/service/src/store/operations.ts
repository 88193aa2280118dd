import { elementAt } from '@fairlead/apimachinery';
import { sql } from 'kysely';
import type { Database, OpenDatabase, OperationTable, ResourceTypeName, Tx } from '../database/index.ts';
import { type ArgocdInstance, instanceIdOf } from './argocd-instance.ts';
import { type ChangeRef, changeChannel, notifyLater, notWaitingForDisk, type OperationRef } from './notifications.ts';

export interface OperationRequest {
  readonly instance: ArgocdInstance;
  readonly type: ResourceTypeName;
  readonly id: string;
  readonly tenant: string;
  /** When the change was first observed. */
  readonly requestedOn: Date;
  readonly now: Date;
}

/** Each resource has one Operation, so its key is made of the resource's key. */
export const operationIdOf = (type: ResourceTypeName, id: string): string => `${type.toLowerCase()}-${id}`;

/**
 * Requests that Argo CD is reconciled with a changed row, in the transaction that changes it. Returns the generation that must be reached.
 * Requests for one resource are merged into one row; a request during an attempt increases the generation that must be reached.
 */
export async function requestOperation(tx: Tx, request: OperationRequest): Promise<number> {
  const { instance, type, id, tenant, requestedOn, now } = request;
  const operation = operationIdOf(type, id);
  const { rows } = await sql<{ generation: number }>`
    INSERT INTO operation AS o (operation_id, instance_id, resource_type, resource_id, operation_owner_user_id, generation,
      reached, state, requested_on, created_on, last_state_update)
    VALUES (${operation}, ${instanceIdOf(instance)}, ${type}, ${id}, ${tenant}, nextval('generation_seq'), 0, 'Waiting',
      ${requestedOn}, ${now}, ${now})
    ON CONFLICT (instance_id, resource_type, resource_id) DO UPDATE SET generation = excluded.generation, state = 'Waiting',
      human_readable_state = NULL, requested_on = excluded.requested_on, last_state_update = excluded.last_state_update
    RETURNING generation`.execute(tx);
  notifyLater(tx, { tenant, operation });
  return elementAt(rows, 0).generation;
}

export type OperationRow = OperationTable;

/** The time by the clock of the database, which is the same for all processes. */
const databaseTime = sql<Date>`clock_timestamp()`;

/**
 * Claims an Operation for a time, by the clock of the database: the clocks of the processes may differ. Undefined if nothing is due, or if
 * another process has claimed it. A process that claims it again before its lease expires continues. `locked`: it is due, and another
 * transaction locks the row for a moment, such as the collection of completed Operations.
 */
export async function claimOperation(
  { db, time }: Pick<OpenDatabase, 'db' | 'time'>,
  operation: string,
  { owner, now, leaseMs }: { readonly owner: string; readonly now: Date; readonly leaseMs: number },
): Promise<OperationRow | 'locked' | undefined> {
  const present = time ? sql<Date>`${time()}::timestamptz` : databaseTime;
  const isFree = sql`operation_id = ${operation} AND reached < generation
    AND (lease_until IS NULL OR lease_until < ${present} OR lease_owner = ${owner})`;
  const { rows } = await sql<OperationRow>`
    UPDATE operation SET lease_owner = ${owner}, lease_until = ${present} + ${leaseMs} * interval '1 millisecond',
      state = 'In_Progress', last_state_update = ${now}
    WHERE operation_id = (SELECT operation_id FROM operation WHERE ${isFree} FOR UPDATE SKIP LOCKED)
    RETURNING *, ${notWaitingForDisk}`.execute(db);
  if (rows[0]) return rows[0];
  const left = await sql`SELECT 1 FROM operation WHERE ${isFree}`.execute(db);
  return left.rows.length > 0 ? 'locked' : undefined;
}

export interface OperationEnd {
  readonly owner: string;
  readonly now: Date;
  readonly state: 'Completed' | 'Failed';
  readonly message?: string;
  /** The resource no longer exists. */
  readonly gone?: boolean;
}

/**
 * Records that the claimed generation was reached. Returns whether a newer one was requested meanwhile, and whether the claim was
 * lost to another process. If the database crashes and loses this, the Operation is processed again.
 */
export async function endOperation(
  db: Database,
  claimed: OperationRow,
  end: OperationEnd,
): Promise<{ readonly again: boolean; readonly isLost: boolean }> {
  const { generation, operation_id } = claimed;
  const { rows } = await sql<{ generation: number }>`
    UPDATE operation SET reached = ${generation}, state = CASE WHEN generation = ${generation} THEN ${end.state} ELSE 'Waiting' END,
      human_readable_state = ${end.message ?? null}, lease_owner = NULL, lease_until = NULL, last_state_update = ${end.now}
    WHERE operation_id = ${operation_id} AND lease_owner = ${end.owner}
    RETURNING generation, ${notWaitingForDisk}, CASE WHEN ${isChanged(claimed, end)} THEN pg_notify(${changeChannel}, resource_type || '|' || resource_id || ${`|${end.now.getTime()}`}) END`.execute(
    db,
  );
  const [row] = rows;
  return { again: row !== undefined && row.generation > generation, isLost: row === undefined };
}

/**
 * Whether the end of an Operation changes what a tenant's resource reports: a failure, its end, or a completed deletion. The end of a
 * change of an Application is reported by the status of the Application.
 */
const isChanged = (claimed: OperationRow, end: OperationEnd): boolean =>
  claimed.resource_type !== 'Application' ||
  end.state === 'Failed' ||
  end.gone === true ||
  claimed.human_readable_state !== null;

/** Releases an Operation that is not complete: it waits for something, or it failed and will be retried. */
export async function postponeOperation(
  db: Database,
  claimed: OperationRow,
  { owner, now, message }: { readonly owner: string; readonly now: Date; readonly message: string },
): Promise<void> {
  await sql`
    UPDATE operation SET state = 'Waiting', human_readable_state = ${message}, lease_owner = NULL, lease_until = NULL,
      last_state_update = ${now}
    WHERE operation_id = ${claimed.operation_id} AND lease_owner = ${owner}
    RETURNING ${notWaitingForDisk}, pg_notify(${changeChannel}, resource_type || '|' || resource_id || ${`|${now.getTime()}`})`.execute(
    db,
  );
}

/** Operations that are due, after a key, in the order of keys. */
export async function dueOperations(
  db: Database,
  instance: ArgocdInstance,
  after: string,
  limit: number,
): Promise<OperationRef[]> {
  const rows = await db
    .selectFrom('operation')
    .select(['operation_id', 'operation_owner_user_id'])
    .where('instance_id', '=', instanceIdOf(instance))
    .whereRef('reached', '<', 'generation')
    .where('operation_id', '>', after)
    .orderBy('operation_id')
    .limit(limit)
    .execute();
  return rows.map(({ operation_id, operation_owner_user_id }) => ({
    operation: operation_id,
    tenant: operation_owner_user_id,
  }));
}

/** The Operation of a resource; undefined if it has reached every requested generation. */
export async function operationOf(db: Database, type: ResourceTypeName, id: string): Promise<OperationRow | undefined> {
  return db
    .selectFrom('operation')
    .selectAll()
    .where('operation_id', '=', operationIdOf(type, id))
    .executeTakeFirst() as Promise<OperationRow | undefined>;
}

export const isReached = (operation: Pick<OperationRow, 'reached' | 'generation'> | undefined): boolean =>
  operation === undefined || operation.reached >= operation.generation;

/** Why the last attempt at an Operation did not succeed; undefined if it did, or if there was none. */
export const failureOf = (
  operation: Pick<OperationRow, 'reached' | 'generation' | 'state' | 'human_readable_state'> | undefined,
): string | undefined =>
  operation && (operation.state === 'Failed' || !isReached(operation))
    ? (operation.human_readable_state ?? undefined)
    : undefined;

/** Resources whose Operation has changed since a time in a way that concerns the tenant: see `isChanged`. */
export async function operationsSince(
  db: Database,
  instance: ArgocdInstance,
  since: Date,
  limit: number,
): Promise<ChangeRef[]> {
  const { rows } = await sql<{ type: ResourceTypeName; id: string; at: Date }>`
    SELECT resource_type AS type, resource_id AS id, last_state_update AS at FROM operation
    WHERE instance_id = ${instanceIdOf(instance)} AND last_state_update > ${since}
      AND (human_readable_state IS NOT NULL OR reached >= generation AND NOT (resource_type = 'Application'
        AND EXISTS (SELECT 1 FROM application WHERE application_id = resource_id)))
    ORDER BY last_state_update LIMIT ${limit}`.execute(db);
  return rows.map(({ type, id, at }) => ({ type, id, at: at.getTime() }));
}

/** Deletes Operations that completed before a time. Failed ones stay, with their reason. */
export async function collectOperations(db: Database, endedBefore: Date, limit = 1_000): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM operation WHERE operation_id IN (
      SELECT operation_id FROM operation WHERE state = 'Completed' AND reached >= generation AND last_state_update < ${endedBefore}
      ORDER BY last_state_update LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      AND reached >= generation`.execute(db);
  return Number(numAffectedRows ?? 0);
}
