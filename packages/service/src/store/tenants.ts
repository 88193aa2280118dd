import { sql } from 'kysely';
import type { Database, Tx } from '../database/index.ts';
import { type ArgocdInstance, instanceIdOf, mapping } from './argocd-instance.ts';
import { changing } from './notifications.ts';
import { requestOperation } from './operations.ts';

/** A tenant is a namespace, identified by its uid: a namespace that is created again is another tenant. */
export interface Tenant {
  readonly uid: string;
  readonly namespace: string;
}

/** The environment that every tenant has: its own namespace of this cluster. */
export const ownEnvironmentOf = (tenant: Pick<Tenant, 'uid'>): string => tenant.uid;

/** Writes the tenant's rows, and locks them until the transaction ends, so that two transactions cannot both take the last of a quota. */
export async function ensureTenant(tx: Tx, tenant: Tenant, instance: ArgocdInstance, now: Date): Promise<void> {
  if (await hold(tx, tenant)) return;
  await addTenant(tx, tenant, instance, now);
  await hold(tx, tenant);
}

async function hold(tx: Tx, { uid }: Tenant): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM clusteruser WHERE clusteruser_id = ${uid} FOR NO KEY UPDATE`.execute(tx);
  return rows.length > 0;
}

async function addTenant(tx: Tx, tenant: Tenant, instance: ArgocdInstance, now: Date): Promise<void> {
  const environment = ownEnvironmentOf(tenant);
  const user = { clusteruser_id: tenant.uid, user_name: tenant.uid, display_name: tenant.namespace, created_on: now };
  await tx
    .insertInto('clusteruser')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .insertInto('managedenvironment')
    .values({
      managedenvironment_id: environment,
      name: tenant.namespace,
      clusteruser_id: tenant.uid,
      clustercredentials_id: null,
      created_on: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .insertInto('kubernetestodbresourcemapping')
    .values(mapping(tenant.uid, 'ManagedEnvironment', environment))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await admitEnvironment(tx, tenant.uid, environment, instance);
}

/** Permits a tenant to deploy to an environment. */
export async function admitEnvironment(
  tx: Tx,
  user: string,
  environment: string,
  instance: ArgocdInstance,
): Promise<void> {
  await tx
    .insertInto('clusteraccess')
    .values({
      clusteraccess_user_id: user,
      clusteraccess_managed_environment_id: environment,
      clusteraccess_gitops_engine_instance_id: instanceIdOf(instance),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .insertInto('appprojectmanagedenvironment')
    .values({ clusteruser_id: user, managed_environment_id: environment })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function admitRepository(tx: Tx, user: string, repository: string): Promise<void> {
  await tx
    .insertInto('appprojectrepository')
    .values({ clusteruser_id: user, repo_url: repository })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes the permission for a repository if nothing of the tenant needs it any more. */
export async function dismissRepository(tx: Tx, user: string, repository: string): Promise<void> {
  await tx
    .deleteFrom('appprojectrepository')
    .where('clusteruser_id', '=', user)
    .where('repo_url', '=', repository)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('application')
            .select('application_id')
            .where('clusteruser_id', '=', user)
            .where('repo_url', '=', repository),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('repositorycredentials')
            .select('repositorycredentials_id')
            .where('repo_cred_user_id', '=', user)
            .where('repo_cred_url', '=', repository),
        ),
      ),
    )
    .execute();
}

/** Tenants after a key, in the order of keys. */
export async function tenantsAfter(db: Database, after: string, limit: number) {
  return db
    .selectFrom('clusteruser')
    .selectAll()
    .where('clusteruser_id', '>', after)
    .orderBy('clusteruser_id')
    .limit(limit)
    .execute();
}

/** Deletes a tenant whose namespace was deleted, once it has no rows left. Returns whether it was deleted. */
export async function forgetTenant(db: Database, uid: string, instance: ArgocdInstance, now: Date): Promise<boolean> {
  return changing(db, async (tx) => {
    const held = await tx
      .selectFrom('clusteruser')
      .select('clusteruser_id')
      .where('clusteruser_id', '=', uid)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('application').select('application_id').where('clusteruser_id', '=', uid))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('managedenvironment')
              .select('managedenvironment_id')
              .where('clusteruser_id', '=', uid)
              .where('managedenvironment_id', '<>', uid),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('repositorycredentials').select('repo_cred_url').where('repo_cred_user_id', '=', uid))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('syncoperation').select('syncoperation_id').where('clusteruser_id', '=', uid))),
      )
      .forUpdate()
      .executeTakeFirst();
    if (!held) return false;
    await tx.deleteFrom('clusteraccess').where('clusteraccess_user_id', '=', uid).execute();
    await tx.deleteFrom('appprojectrepository').where('clusteruser_id', '=', uid).execute();
    await tx.deleteFrom('appprojectmanagedenvironment').where('clusteruser_id', '=', uid).execute();
    await tx.deleteFrom('managedenvironment').where('clusteruser_id', '=', uid).execute();
    await tx.deleteFrom('kubernetestodbresourcemapping').where('kubernetes_resource_uid', '=', uid).execute();
    await tx.deleteFrom('clusteruser').where('clusteruser_id', '=', uid).execute();
    await requestOperation(tx, { instance, type: 'ClusterUser', id: uid, tenant: uid, requestedOn: now, now });
    return true;
  });
}
