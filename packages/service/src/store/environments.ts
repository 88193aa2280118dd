import type { Database, Tx } from '../database/index.ts';
import type { ArgocdInstance } from './argocd-instance.ts';
import { requestOperation } from './operations.ts';
import { admitEnvironment } from './tenants.ts';

export const environmentType = 'GitOpsDeploymentManagedEnvironment';

export interface EnvironmentRow {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly host: string;
  /** The credentials, encrypted. */
  readonly login: string;
  readonly insecure: boolean;
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
}

const environmentRows = (db: Database) =>
  db
    .selectFrom('managedenvironment as e')
    .innerJoin('clustercredentials as c', 'c.clustercredentials_cred_id', 'e.clustercredentials_id')
    .select([
      'e.managedenvironment_id as id',
      'e.clusteruser_id as tenant',
      'e.name as name',
      'c.host as host',
      'c.kube_config as login',
      'c.allowinsecure_skiptlsverify as insecure',
      'c.namespaces as namespaces',
      'c.cluster_resources as clusterResources',
    ]);

/** An environment of this tenant. */
export async function environmentOf(db: Database, id: string, tenant: string): Promise<EnvironmentRow | undefined> {
  return environmentRows(db)
    .where('e.managedenvironment_id', '=', id)
    .where('e.clusteruser_id', '=', tenant)
    .executeTakeFirst();
}

export async function environmentById(db: Database, id: string): Promise<EnvironmentRow | undefined> {
  return environmentRows(db).where('e.managedenvironment_id', '=', id).executeTakeFirst();
}

export async function environmentsOfTenant(db: Database, tenant: string): Promise<EnvironmentRow[]> {
  return environmentRows(db).where('e.clusteruser_id', '=', tenant).orderBy('e.managedenvironment_id').execute();
}

export interface EnvironmentChange extends Omit<EnvironmentRow, 'tenant'> {
  readonly tenant: { readonly uid: string; readonly namespace: string };
  readonly clusterUid?: string;
  readonly instance: ArgocdInstance;
  readonly now: Date;
}

/** Writes environment, credentials, permission and Operation in one transaction. The tenant's row must exist. */
export async function putEnvironment(tx: Tx, change: EnvironmentChange): Promise<void> {
  const { id, tenant, instance, now } = change;
  const content = {
    host: change.host,
    kube_config: change.login,
    allowinsecure_skiptlsverify: change.insecure,
    namespaces: JSON.stringify(change.namespaces),
    cluster_resources: change.clusterResources,
  };
  await tx
    .insertInto('clustercredentials')
    .values({
      clustercredentials_cred_id: id,
      ...content,
      kube_config_context: null,
      serviceaccount_ns: null,
      created_on: now,
    })
    .onConflict((conflict) => conflict.column('clustercredentials_cred_id').doUpdateSet(content))
    .execute();
  await tx
    .insertInto('managedenvironment')
    .values({
      managedenvironment_id: id,
      name: change.name,
      clusteruser_id: tenant.uid,
      clustercredentials_id: id,
      created_on: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await putMapping(tx, environmentType, change, 'ManagedEnvironment');
  await admitEnvironment(tx, tenant.uid, id, instance);
  await requestOperation(tx, { instance, type: 'ManagedEnvironment', id, tenant: tenant.uid, requestedOn: now, now });
}

export interface MappedResource {
  readonly id: string;
  readonly name: string;
  readonly tenant: { readonly uid: string; readonly namespace: string };
}

export async function putMapping(
  tx: Tx,
  type: string,
  { id, name, tenant }: MappedResource,
  table: string,
): Promise<void> {
  await tx
    .insertInto('apicrtodatabasemapping')
    .values({
      api_resource_type: type,
      api_resource_uid: id,
      api_resource_name: name,
      api_resource_namespace: tenant.namespace,
      api_resource_namespace_uid: tenant.uid,
      db_relation_type: table,
      db_relation_key: id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The rows of the resources of one name: usually one, more if one was deleted and created again. */
export async function mappedNamed(db: Database, type: string, namespace: string, name: string) {
  return db
    .selectFrom('apicrtodatabasemapping')
    .select(['api_resource_uid as id', 'api_resource_namespace_uid as tenant'])
    .where('api_resource_type', '=', type)
    .where('api_resource_namespace', '=', namespace)
    .where('api_resource_name', '=', name)
    .execute();
}

/** Mapped resources after a key, in the order of keys. */
export async function mappedAfter(db: Database, type: string, after: string, limit: number) {
  return db
    .selectFrom('apicrtodatabasemapping')
    .select(['api_resource_uid as uid', 'api_resource_namespace as namespace', 'api_resource_name as name'])
    .where('api_resource_type', '=', type)
    .where('api_resource_uid', '>', after)
    .orderBy('api_resource_uid')
    .limit(limit)
    .execute();
}

export async function removeMapping(tx: Tx, type: string, id: string): Promise<void> {
  await tx
    .deleteFrom('apicrtodatabasemapping')
    .where('api_resource_type', '=', type)
    .where('api_resource_uid', '=', id)
    .execute();
}

export async function removeEnvironment(
  tx: Tx,
  {
    id,
    tenant,
    instance,
    now,
  }: { readonly id: string; readonly tenant: string; readonly instance: ArgocdInstance; readonly now: Date },
): Promise<void> {
  await removeMapping(tx, environmentType, id);
  await tx.deleteFrom('kubernetestodbresourcemapping').where('db_relation_key', '=', id).execute();
  await tx.deleteFrom('managedenvironment').where('managedenvironment_id', '=', id).execute();
  await tx.deleteFrom('clustercredentials').where('clustercredentials_cred_id', '=', id).execute();
  await requestOperation(tx, { instance, type: 'ManagedEnvironment', id, tenant, requestedOn: now, now });
}

export async function countEnvironments(tx: Database, tenant: string): Promise<number> {
  const { count } = await tx
    .selectFrom('managedenvironment')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('clusteruser_id', '=', tenant)
    .where('clustercredentials_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
