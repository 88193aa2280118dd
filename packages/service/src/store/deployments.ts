import type { ApplicationSpec } from '@fairlead/api';
import { sql } from 'kysely';
import type { Database, OperationStateName, Tx } from '../database/index.ts';
import { type ArgocdInstance, instanceIdOf } from './argocd-instance.ts';
import { formatOperation, notify, operationChannel } from './notifications.ts';
import { operationIdOf, requestOperation } from './operations.ts';
import { admitRepository, dismissRepository } from './tenants.ts';

/** The rows of the GitOpsDeployments of one name: usually one, more if one was deleted and created again. */
export interface DeploymentRow {
  readonly uid: string;
  readonly tenant: string;
  readonly spec: ApplicationSpec;
  readonly repository: string;
  readonly environment: string | null;
  readonly sourceGeneration: number;
  readonly status: Uint8Array | null;
  readonly statusHash: string | null;
  /** When the status was observed. */
  readonly statusAt: Date | null;
  readonly operation?: {
    readonly state: OperationStateName;
    readonly message: string | null;
    readonly generation: number;
    readonly reached: number;
  };
}

interface NamedRow extends Omit<DeploymentRow, 'operation'> {
  readonly state: OperationStateName | null;
  readonly message: string | null;
  readonly generation: number | null;
  readonly reached: number | null;
}

/** Runs at every reconcile of a deployment, so it is plain SQL: building the query would cost more than running it. */
export async function deploymentsNamed(db: Database, namespace: string, name: string): Promise<DeploymentRow[]> {
  const { rows } = await sql<NamedRow>`
    SELECT m.deploymenttoapplicationmapping_uid_id AS uid, a.clusteruser_id AS tenant, a.spec_field AS spec,
      a.repo_url AS repository, a.managed_environment_id AS environment, a.source_generation AS "sourceGeneration",
      s.argocd_application_status AS status, s.status_hash AS "statusHash", s.updated_on AS "statusAt",
      o.state, o.human_readable_state AS message, o.generation, o.reached
    FROM deploymenttoapplicationmapping AS m
      JOIN application AS a ON a.application_id = m.application_id
      LEFT JOIN applicationstate AS s ON s.applicationstate_application_id = a.application_id
      LEFT JOIN operation AS o ON o.operation_id = 'application-' || a.application_id
    WHERE m.namespace = ${namespace} AND m.name = ${name}`.execute(db);
  return rows.map(({ state, message, generation, reached, ...row }) => ({
    ...row,
    ...(state && generation !== null && reached !== null ? { operation: { state, message, generation, reached } } : {}),
  }));
}

export interface ApplicationChange {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly tenant: string;
  readonly instance: ArgocdInstance;
  readonly spec: ApplicationSpec;
  readonly repository: string;
  /** The repository of the row before the change, if it was another one. */
  readonly formerRepository?: string;
  readonly environment: string;
  readonly sourceGeneration: number;
  readonly requestedOn: Date;
  readonly now: Date;
}

/** Writes Application, mapping, permission and Operation of a GitOpsDeployment in one transaction. */
export async function putApplication(tx: Tx, change: ApplicationChange): Promise<void> {
  const { uid, tenant, instance, now } = change;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('application')
    .values({
      application_id: uid,
      name: applicationNameOf(uid),
      spec_field: JSON.stringify(change.spec),
      engine_instance_inst_id: instanceIdOf(instance),
      managed_environment_id: change.environment,
      clusteruser_id: tenant,
      repo_url: change.repository,
      source_generation: change.sourceGeneration,
      created_on: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('application_id')
        .doUpdateSet((row) => ({
          spec_field: row.ref('excluded.spec_field'),
          managed_environment_id: row.ref('excluded.managed_environment_id'),
          repo_url: row.ref('excluded.repo_url'),
          source_generation: row.ref('excluded.source_generation'),
        }))
        .whereRef('application.source_generation', '<=', 'excluded.source_generation'),
    )
    .executeTakeFirstOrThrow();
  // Another process has written a newer generation of the GitOpsDeployment.
  if (numInsertedOrUpdatedRows === 0n) return;
  await tx
    .insertInto('deploymenttoapplicationmapping')
    .values({
      deploymenttoapplicationmapping_uid_id: uid,
      name: change.name,
      namespace: change.namespace,
      namespace_uid: tenant,
      application_id: uid,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await admitRepository(tx, tenant, change.repository);
  await requestOperation(tx, { ...change, type: 'Application', id: uid });
  if (change.formerRepository === undefined) return;
  await dismissRepository(tx, tenant, change.formerRepository);
  // The tenant may use less than before, so its project must be reconciled too.
  await requestOperation(tx, { ...change, type: 'ClusterUser', id: tenant });
}

/**
 * The most frequent change, of a deployment that keeps its repository and its environment, in one statement: the row and its
 * Operation, both or neither.
 */
export async function changeApplication(db: Database, change: ApplicationChange): Promise<void> {
  const { uid, tenant, instance, requestedOn, now } = change;
  const operation = applicationOperationOf(uid);
  const { rows } = await sql`
    WITH changed AS (
      UPDATE application SET spec_field = ${JSON.stringify(change.spec)}::jsonb, source_generation = ${change.sourceGeneration}
      WHERE application_id = ${uid} AND source_generation <= ${change.sourceGeneration} RETURNING application_id)
    INSERT INTO operation AS o (operation_id, instance_id, resource_type, resource_id, operation_owner_user_id, generation,
      reached, state, requested_on, created_on, last_state_update)
    SELECT ${operation}::text, ${instanceIdOf(instance)}::text, 'Application', application_id, ${tenant}::text,
      nextval('generation_seq'), 0, 'Waiting', ${requestedOn}::timestamptz, ${now}::timestamptz, ${now}::timestamptz FROM changed
    ON CONFLICT (instance_id, resource_type, resource_id) DO UPDATE SET generation = excluded.generation, state = 'Waiting',
      human_readable_state = NULL, requested_on = excluded.requested_on, last_state_update = excluded.last_state_update
    RETURNING 1`.execute(db);
  if (rows.length > 0) await notify(db, operationChannel, [formatOperation({ tenant, operation })]);
}

/** Deletes the rows of a GitOpsDeployment, and requests the deletion of its Application. */
export async function removeApplication(
  tx: Tx,
  removal: {
    readonly uid: string;
    readonly tenant: string;
    readonly repository: string;
    readonly instance: ArgocdInstance;
    readonly now: Date;
  },
): Promise<void> {
  const { uid, tenant, repository, instance, now } = removal;
  await tx.deleteFrom('application').where('application_id', '=', uid).execute();
  await dismissRepository(tx, tenant, repository);
  await requestOperation(tx, { instance, type: 'Application', id: uid, tenant, requestedOn: now, now });
}

/** The number of a tenant's Applications, counted only up to the limit. */
export async function countApplications(tx: Tx, tenant: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT 1 FROM application WHERE clusteruser_id = ${tenant} LIMIT ${limit}) AS counted`.execute(
    tx,
  );
  return Number(rows[0]?.count ?? 0);
}

export interface DeploymentName {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** Deployments after a key, in the order of keys. */
export async function deploymentNamesAfter(db: Database, after: string, limit: number): Promise<DeploymentName[]> {
  return db
    .selectFrom('deploymenttoapplicationmapping')
    .select(['deploymenttoapplicationmapping_uid_id as uid', 'namespace', 'name'])
    .where('deploymenttoapplicationmapping_uid_id', '>', after)
    .orderBy('deploymenttoapplicationmapping_uid_id')
    .limit(limit)
    .execute();
}

/** Applications that no mapping leads to, after a key, in the order of keys. */
export async function unmappedApplications(
  db: Database,
  after: string,
  limit: number,
): Promise<{ readonly uid: string; readonly tenant: string; readonly repository: string }[]> {
  return db
    .selectFrom('application as a')
    .leftJoin('deploymenttoapplicationmapping as m', 'm.application_id', 'a.application_id')
    .select(['a.application_id as uid', 'a.clusteruser_id as tenant', 'a.repo_url as repository'])
    .where('m.application_id', 'is', null)
    .where('a.application_id', '>', after)
    .orderBy('a.application_id')
    .limit(limit)
    .execute();
}

export const applicationNameOf = (uid: string): string => `gitopsdepl-${uid}`;
export const applicationOperationOf = (uid: string): string => operationIdOf('Application', uid);
