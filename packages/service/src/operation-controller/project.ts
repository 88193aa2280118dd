import { isDeepStrictEqual } from 'node:util';
import { type ApplicationSpec, type AppProject, allowedNetworksAnnotation, appProjectKind } from '@fairlead/api';
import { isAlreadyExists, isNotFound } from '@fairlead/apimachinery';
import type { Database } from '../database/index.ts';
import { clusterNameOf, inClusterServer, projectNameOf } from '../deployments/application-spec.ts';
import { environmentsOfTenant, type OperationRow } from '../store/index.ts';
import type { OperationContext } from './context.ts';
import { tenantLabel } from './observed-application.ts';
import { reached, type Step } from './step.ts';

/** The permissions of a tenant, according to the rows. */
export interface TenantReach {
  readonly tenant: string;
  readonly namespace: string;
  readonly repositories: readonly string[];
  readonly environments: readonly {
    readonly id: string;
    readonly namespaces: readonly string[];
  }[];
}

export async function reachOf(db: Database, tenant: string): Promise<TenantReach | undefined> {
  const user = await db
    .selectFrom('clusteruser')
    .select('display_name')
    .where('clusteruser_id', '=', tenant)
    .executeTakeFirst();
  if (!user) return undefined;
  const repositories = await db
    .selectFrom('appprojectrepository')
    .select('repo_url')
    .where('clusteruser_id', '=', tenant)
    .orderBy('repo_url')
    .execute();
  const environments = await environmentsOfTenant(db, tenant);
  return {
    tenant,
    namespace: user.display_name,
    repositories: repositories.map(({ repo_url }) => repo_url),
    environments,
  };
}

/** Kinds with which a tenant could extend its permissions in its own namespace. */
const withheld = [
  { group: '', kind: 'ResourceQuota' },
  { group: '', kind: 'LimitRange' },
  { group: 'rbac.authorization.k8s.io', kind: 'Role' },
  { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
  { group: 'argoproj.io', kind: 'Application' },
  { group: 'argoproj.io', kind: 'AppProject' },
  { group: 'managed-gitops.redhat.com', kind: 'Operation' },
];

/** The project of a tenant: its repositories, its namespace here, its environments, and no cluster-scoped resources. */
export function desiredProject(reach: TenantReach, namespace: string): AppProject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: projectNameOf(reach.tenant), namespace, labels: { [tenantLabel]: reach.tenant } },
    spec: {
      sourceRepos: [...reach.repositories],
      destinations: [
        { server: inClusterServer, namespace: reach.namespace },
        ...reach.environments.flatMap(({ id, namespaces }) =>
          (namespaces.length > 0 ? namespaces : ['*']).map((name) => ({ name: clusterNameOf(id), namespace: name })),
        ),
      ],
      clusterResourceWhitelist: [],
      namespaceResourceBlacklist: withheld,
    },
  };
}

/** Whether a tenant's project, as last observed, permits what an Application needs. */
export function isOpenFor(
  { projects, instance }: OperationContext,
  tenant: string,
  { source, destination }: ApplicationSpec,
): boolean {
  const spec = projects.get(`${instance.namespace}/${projectNameOf(tenant)}`)?.spec;
  if (!spec?.sourceRepos?.includes(source?.repoURL ?? '')) return false;
  return (
    spec.destinations?.some(
      ({ server, name, namespace }) =>
        server === destination.server &&
        name === destination.name &&
        (namespace === '*' || namespace === destination.namespace),
    ) ?? false
  );
}

/** Reconciles a tenant's project with the rows, which are read while no other Operation writes it. */
export async function ensureProject(context: OperationContext, tenant: string, signal: AbortSignal): Promise<void> {
  await context.projectMutex.run(tenant, () => followRows(context, tenant, signal));
}

/**
 * Writes until the rows did not change during a write. An Operation that deploys meanwhile uses the project as it was before, and relies on
 * the writer to read its rows. Returns false if there is no such tenant.
 */
async function followRows(context: OperationContext, tenant: string, signal: AbortSignal): Promise<boolean> {
  let reach = await reachOf(context.db, tenant);
  while (reach) {
    if (!(await put(context, desiredProject(reach, context.instance.namespace), signal))) return true;
    const before: TenantReach = reach;
    reach = await reachOf(context.db, tenant);
    if (reach && isDeepStrictEqual(reach, before)) return true;
  }
  return false;
}

/** Returns whether anything was written. */
async function put(
  { client, projects, settings }: OperationContext,
  desired: AppProject,
  signal: AbortSignal,
): Promise<boolean> {
  const { namespace = '', name } = desired.metadata;
  const seen = projects.get(`${namespace}/${name}`);
  // An administrator may permit other networks for one tenant.
  const annotated = ({ metadata, ...project }: AppProject): AppProject => ({
    ...project,
    metadata: {
      ...metadata,
      annotations: { [allowedNetworksAnnotation]: settings.allowedNetworks, ...metadata.annotations },
    },
  });
  const isLimited = seen?.metadata.annotations?.[allowedNetworksAnnotation] !== undefined;
  if (isLimited && isDeepStrictEqual(seen.spec, desired.spec)) return false;
  if (!seen) {
    try {
      projects.wrote(await client.create<AppProject>(appProjectKind.type, annotated(desired), { signal }));
      return true;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
  const live = seen ?? (await client.get<AppProject>(appProjectKind.type, { namespace, name }, { signal }));
  projects.wrote(
    await client.replace<AppProject>(appProjectKind.type, annotated({ ...live, spec: desired.spec }), { signal }),
  );
  return true;
}

/** Deletes the project of a tenant that no longer exists. */
export async function reconcileTenant(
  context: OperationContext,
  operation: OperationRow,
  signal: AbortSignal,
): Promise<Step> {
  const tenant = operation.resource_id;
  const key = { namespace: context.instance.namespace, name: projectNameOf(tenant) };
  return context.projectMutex.run(tenant, async () => {
    if (await followRows(context, tenant, signal)) return reached;
    await context.client.delete(appProjectKind.type, key, { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    context.projects.gone(`${key.namespace}/${key.name}`);
    return reached;
  });
}
