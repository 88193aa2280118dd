import { type Application, applicationKind, gitopsDeploymentKind } from '@fairlead/api';
import { find } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import type { ResourceTypeName } from '../database/index.ts';
import { essentialStatus } from '../deployments/deployment-status.ts';
import { pages } from '../paging.ts';
import { stableHash } from '../stable-hash.ts';
import { changing, operationIdOf, putApplicationState, requestOperation } from '../store/index.ts';
import type { OperationContext } from './context.ts';
import type { ObservedApplication } from './observed-application.ts';
import { ensureProject } from './project.ts';

const pageSize = 500;
/**
 * The maximum number of Applications that are deleted at once because their row is missing: if there are more, and at least half of all, an
 * administrator must check first.
 */
const brakeAbove = 10;

/** Compares every row with the objects of Argo CD, and requests an Operation for each difference. */
export async function healInstance(
  context: OperationContext,
  applications: Informer<ObservedApplication>,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  const desired = new Set<string>();
  const rows = pages(
    (after) =>
      db
        .selectFrom('application as a')
        .leftJoin('applicationstate as s', 's.applicationstate_application_id', 'a.application_id')
        .leftJoin('deploymenttoapplicationmapping as m', 'm.application_id', 'a.application_id')
        .select([
          'a.application_id as uid',
          'a.clusteruser_id as tenant',
          'a.name',
          'a.spec_field as spec',
          's.status_hash as hash',
          'm.namespace',
          'm.name as deployment',
        ])
        .where('a.application_id', '>', after)
        .orderBy('a.application_id')
        .limit(pageSize)
        .execute(),
    signal,
  );
  for await (const { uid, tenant, name, spec, hash, namespace, deployment } of rows) {
    desired.add(uid);
    const seen = applications.get(`${context.instance.namespace}/${name}`);
    if (seen?.specHash !== stableHash(spec)) {
      if (await isDeclared(context, uid, namespace, deployment, signal))
        await request(context, 'Application', uid, tenant);
      else log.warn('a row without a GitOpsDeployment is not deployed', { application: name });
    } else if (seen.statusHash !== hash) await reportAgain(context, seen, signal);
  }
  const orphans = applications.list().filter(({ id }) => !desired.has(id));
  if (orphans.length > brakeAbove && orphans.length * 2 > applications.size) {
    log.error('most Applications have no row: none of them is deleted before an administrator has checked', {
      count: orphans.length,
    });
  } else for (const { id, tenant } of orphans) await request(context, 'Application', id, tenant);
  await healSecrets(context, signal);
  const tenants = pages(
    (after) =>
      db
        .selectFrom('clusteruser')
        .select('clusteruser_id as uid')
        .where('clusteruser_id', '>', after)
        .orderBy('clusteruser_id')
        .limit(pageSize)
        .execute(),
    signal,
  );
  for await (const { uid } of tenants) await ensureProject(context, uid, signal);
}

/** Whether the GitOpsDeployment of a row exists. An orphaned row must not be deployed again. */
async function isDeclared(
  { client }: OperationContext,
  uid: string,
  namespace: string | null,
  name: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  if (namespace === null || name === null) return false;
  const declared = await find(client.get(gitopsDeploymentKind.type, { namespace, name }, { signal }));
  return declared?.metadata.uid === uid;
}

/**
 * Secrets are compared where they are written: an Operation for each, which does nothing without drift. Rows without a mapping are
 * orphaned, and are not deployed.
 */
async function healSecrets(context: OperationContext, signal: AbortSignal): Promise<void> {
  const { db } = context;
  const environments = pages(
    (after) =>
      db
        .selectFrom('managedenvironment')
        .innerJoin('apicrtodatabasemapping as m', 'm.db_relation_key', 'managedenvironment_id')
        .select(['managedenvironment_id as uid', 'clusteruser_id as tenant'])
        .where('clustercredentials_id', 'is not', null)
        .where('managedenvironment_id', '>', after)
        .orderBy('managedenvironment_id')
        .limit(pageSize)
        .execute(),
    signal,
  );
  for await (const { uid, tenant } of environments) await request(context, 'ManagedEnvironment', uid, tenant);
  const credentials = pages(
    (after) =>
      db
        .selectFrom('repositorycredentials')
        .innerJoin('apicrtodatabasemapping as m', 'm.db_relation_key', 'repositorycredentials_id')
        .select(['repositorycredentials_id as uid', 'repo_cred_user_id as tenant'])
        .where('repositorycredentials_id', '>', after)
        .orderBy('repositorycredentials_id')
        .limit(pageSize)
        .execute(),
    signal,
  );
  for await (const { uid, tenant } of credentials) await request(context, 'RepositoryCredentials', uid, tenant);
}

/** Unless one is already in progress: it will find the same difference. */
async function request(
  { db, instance, clock }: OperationContext,
  type: ResourceTypeName,
  id: string,
  tenant: string,
): Promise<void> {
  const now = new Date(clock.now());
  await changing(db, async (tx) => {
    const known = await tx
      .selectFrom('operation')
      .select(['reached', 'generation'])
      .where('operation_id', '=', operationIdOf(type, id))
      .executeTakeFirst();
    if (known && known.reached < known.generation) return;
    await requestOperation(tx, { instance, type, id, tenant, requestedOn: now, now });
  });
}

async function reportAgain(
  { client, db, clock }: OperationContext,
  seen: ObservedApplication,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name } = seen.metadata;
  const application = await client.get<Application>(applicationKind.type, { namespace, name }, { signal });
  const status = essentialStatus(application.status);
  if (Object.keys(status).length === 0) return;
  await putApplicationState(db, { uid: seen.id, status, hash: stableHash(status), now: new Date(clock.now()) });
}
