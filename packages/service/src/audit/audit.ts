import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  type GitOpsDeployment,
  type GitOpsDeploymentManagedEnvironment,
  type GitOpsDeploymentRepositoryCredential,
  type GitOpsDeploymentSyncRun,
  gitopsDeploymentKind,
  gitopsDeploymentManagedEnvironmentKind,
  gitopsDeploymentRepositoryCredentialKind,
  gitopsDeploymentSyncRunKind,
} from '@fairlead/api';
import { type KubeObject, namespaceType, type Secret, secretType } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, listAll } from '@fairlead/kube';
import { type Cipher, DecryptionError } from '../cipher.ts';
import type { Database } from '../database/index.ts';
import { desiredClusterSecret } from '../operation-controller/cluster-secret.ts';
import { idLabel, tenantLabel } from '../operation-controller/observed-application.ts';
import { desiredProject, reachOf } from '../operation-controller/project.ts';
import { desiredRepositorySecret } from '../operation-controller/repository-secret.ts';
import { secretTypeLabel } from '../operation-controller/secrets.ts';
import type { ServiceSettings } from '../settings.ts';
import { type ArgocdInstance, credentialById, environmentById } from '../store/index.ts';
import { compare, type Finding, type Sides } from './compare.ts';

export type { Finding } from './compare.ts';

export interface AuditContext {
  readonly client: ApiClient;
  readonly db: Database;
  readonly instance: ArgocdInstance;
  readonly cipher: Cipher;
  readonly settings: Pick<ServiceSettings, 'quotas'>;
  readonly clock: Clock;
}

/** Compares all resources, rows and Argo CD's objects, and reports every difference. Changes nothing. */
export async function audit(context: AuditContext): Promise<Finding[]> {
  const { client, db, instance } = context;
  const list = async <T extends KubeObject>(
    type: Parameters<ApiClient['list']>[0],
    options = {},
  ): Promise<readonly T[]> => (await listAll<T>(client, type, options)).items;
  const inEngine = { namespace: instance.namespace };
  // Rows that change meanwhile would differ: an audit is for a service at rest, and reports what is still in progress.
  const rows = {
    applications: await db.selectFrom('application').selectAll().execute(),
    mappings: await db.selectFrom('deploymenttoapplicationmapping').selectAll().execute(),
    states: await db
      .selectFrom('applicationstate')
      .select(['applicationstate_application_id', 'status_hash'])
      .execute(),
    operations: await db.selectFrom('operation').selectAll().execute(),
    syncs: await db.selectFrom('syncoperation').selectAll().execute(),
    mapped: await db.selectFrom('apicrtodatabasemapping').selectAll().execute(),
    environments: await db.selectFrom('managedenvironment').selectAll().execute(),
    credentials: await db.selectFrom('repositorycredentials').select('repositorycredentials_id').execute(),
    tenants: await db.selectFrom('clusteruser').selectAll().execute(),
  };
  const resources = {
    namespaces: await list<KubeObject>(namespaceType),
    deployments: await list<GitOpsDeployment>(gitopsDeploymentKind.type),
    syncRuns: await list<GitOpsDeploymentSyncRun>(gitopsDeploymentSyncRunKind.type),
    environments: await list<GitOpsDeploymentManagedEnvironment>(gitopsDeploymentManagedEnvironmentKind.type),
    credentials: await list<GitOpsDeploymentRepositoryCredential>(gitopsDeploymentRepositoryCredentialKind.type),
  };
  const secrets = await list<Secret>(secretType, { ...inEngine, labelSelector: secretTypeLabel });
  const found = {
    applications: await list<Application>(applicationKind.type, { ...inEngine, labelSelector: idLabel }),
    projects: await list<AppProject>(appProjectKind.type, { ...inEngine, labelSelector: tenantLabel }),
    secrets: secrets.filter(({ metadata }) => metadata.labels?.[tenantLabel] !== undefined),
  };
  return compare({ rows, resources, found, desired: await desired(context, rows) });
}

/** The desired objects of the Argo CD instance, according to the rows. */
async function desired(
  context: AuditContext,
  rows: {
    readonly tenants: readonly { readonly clusteruser_id: string }[];
    readonly environments: readonly {
      readonly managedenvironment_id: string;
      readonly clustercredentials_id: string | null;
    }[];
    readonly credentials: readonly { readonly repositorycredentials_id: string }[];
  },
): Promise<Sides['desired']> {
  const { db, instance } = context;
  const projects: AppProject[] = [];
  for (const { clusteruser_id } of rows.tenants) {
    const reach = await reachOf(db, clusteruser_id);
    if (reach) projects.push(desiredProject(reach, instance.namespace));
  }
  const secrets: Secret[] = [];
  const unreadable: Finding[] = [];
  /** A row that cannot be decrypted is a finding, and the audit continues. */
  const add = (about: string, read: () => Secret): void => {
    try {
      secrets.push(read());
    } catch (error) {
      if (!(error instanceof DecryptionError || error instanceof SyntaxError)) throw error;
      unreadable.push({ about, problem: `cannot be read: ${error.message}` });
    }
  };
  for (const { managedenvironment_id, clustercredentials_id } of rows.environments) {
    const row = clustercredentials_id === null ? undefined : await environmentById(db, managedenvironment_id);
    if (row) add(`row ClusterCredentials of ${row.name}`, () => desiredClusterSecret(context, row));
  }
  for (const { repositorycredentials_id } of rows.credentials) {
    const row = await credentialById(db, repositorycredentials_id);
    if (row) add(`row RepositoryCredentials of ${row.url}`, () => desiredRepositorySecret(context, row));
  }
  return { projects, secrets, unreadable };
}
