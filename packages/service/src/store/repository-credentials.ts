import type { Database, Tx } from '../database/index.ts';
import { type ArgocdInstance, instanceIdOf } from './argocd-instance.ts';
import { putMapping, removeMapping } from './environments.ts';
import { requestOperation } from './operations.ts';
import { admitRepository, dismissRepository } from './tenants.ts';

export const repositoryCredentialType = 'GitOpsDeploymentRepositoryCredential';

export interface CredentialRow {
  readonly id: string;
  readonly tenant: string;
  readonly url: string;
  /** User, password and key, encrypted together. */
  readonly secretData: string;
  readonly secretName: string;
}

export async function credentialById(db: Database, id: string): Promise<CredentialRow | undefined> {
  return db
    .selectFrom('repositorycredentials')
    .select([
      'repositorycredentials_id as id',
      'repo_cred_user_id as tenant',
      'repo_cred_url as url',
      'repo_cred_secret_data as secretData',
      'repo_cred_secret as secretName',
    ])
    .where('repositorycredentials_id', '=', id)
    .executeTakeFirst();
}

export const credentialSecretOf = (id: string): string => `repo-cred-${id}`;

export interface CredentialChange {
  readonly id: string;
  readonly name: string;
  readonly tenant: { readonly uid: string; readonly namespace: string };
  readonly url: string;
  readonly formerUrl?: string;
  readonly secretData: string;
  readonly instance: ArgocdInstance;
  readonly now: Date;
}

/** Writes credentials, mapping, permission and Operation in one transaction. The tenant's row must exist. */
export async function putCredential(tx: Tx, change: CredentialChange): Promise<void> {
  const { id, tenant, instance, now, url } = change;
  await tx
    .insertInto('repositorycredentials')
    .values({
      repositorycredentials_id: id,
      repo_cred_user_id: tenant.uid,
      repo_cred_url: url,
      repo_cred_secret_data: change.secretData,
      repo_cred_secret: credentialSecretOf(id),
      repo_cred_engine_id: instanceIdOf(instance),
      created_on: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('repositorycredentials_id')
        .doUpdateSet({ repo_cred_url: url, repo_cred_secret_data: change.secretData }),
    )
    .execute();
  await putMapping(tx, repositoryCredentialType, change, 'RepositoryCredentials');
  await admitRepository(tx, tenant.uid, url);
  if (change.formerUrl !== undefined) await dismissRepository(tx, tenant.uid, change.formerUrl);
  await requestOperation(tx, {
    instance,
    type: 'RepositoryCredentials',
    id,
    tenant: tenant.uid,
    requestedOn: now,
    now,
  });
}

export async function removeCredential(
  tx: Tx,
  {
    id,
    tenant,
    instance,
    now,
  }: { readonly id: string; readonly tenant: string; readonly instance: ArgocdInstance; readonly now: Date },
): Promise<void> {
  await removeMapping(tx, repositoryCredentialType, id);
  const removed = await tx
    .deleteFrom('repositorycredentials')
    .where('repositorycredentials_id', '=', id)
    .returning('repo_cred_url as url')
    .executeTakeFirst();
  if (removed) await dismissRepository(tx, tenant, removed.url);
  await requestOperation(tx, { instance, type: 'RepositoryCredentials', id, tenant, requestedOn: now, now });
}

export async function countCredentials(tx: Tx, tenant: string): Promise<number> {
  const { count } = await tx
    .selectFrom('repositorycredentials')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('repo_cred_user_id', '=', tenant)
    .executeTakeFirstOrThrow();
  return Number(count);
}
