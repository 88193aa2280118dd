import { isDeepStrictEqual } from 'node:util';
import { gitopsDeploymentKind } from '@fairlead/api';
import { isNotFound } from '@fairlead/apimachinery';
import { applicationSpec, type Destination } from '../deployments/application-spec.ts';
import { checkHost, type DeploymentSpec, readDeploymentSpec } from '../deployments/read-spec.ts';
import { quotasOf } from '../settings.ts';
import { environmentOf } from '../store/environments.ts';
import {
  changeApplication,
  changing,
  countApplications,
  type DeploymentRow,
  deploymentsNamed,
  ensureTenant,
  isReached,
  operationOf,
  ownEnvironmentOf,
  putApplication,
  removeApplication,
  type Tenant,
} from '../store/index.ts';
import { workKey } from '../tenant-lanes.ts';
import { UserError } from '../user-error.ts';
import type { Context } from './context.ts';
import type { ObservedDeployment } from './observed-deployment.ts';
import { type Problem, writeDeploymentStatus } from './write-deployment-status.ts';

export const finalizer = 'resources-finalizer.managed-gitops.redhat.com';

/** Reconciles the rows with the GitOpsDeployment of a name, and writes its status. */
export async function runDeployment(
  context: Context,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  requestedOn: Date,
  signal: AbortSignal,
): Promise<void> {
  const { db, deployments } = context;
  const deployment = deployments.get(`${namespace}/${name}`);
  const rows = await deploymentsNamed(db, namespace, name);
  const going = deployment?.metadata.deletionTimestamp !== undefined;
  for (const row of rows)
    if (row.uid !== deployment?.metadata.uid || going) await remove(context, row, { namespace, name });
  if (!deployment) return;
  if (going) return letGo(context, deployment, signal);
  const row = rows.find(({ uid }) => uid === deployment.metadata.uid);
  const problem = await runOperation(context, deployment, row, requestedOn);
  await writeDeploymentStatus(context, deployment, row, problem, signal);
}

async function remove(context: Context, row: DeploymentRow, key: { namespace: string; name: string }): Promise<void> {
  const { db, instance, clock } = context;
  const now = new Date(clock.now());
  await changing(db, (tx) => removeApplication(tx, { ...row, instance, now }));
  // Waiting sync runs are orphaned now.
  context.enqueue(workKey('sync', key.namespace, key.name));
  // One of the refused deployments fits into the quota now; a few are enqueued, in case some no longer exist.
  const waiting = context.deploymentInformer.byIndex('over-quota', key.namespace).slice(0, 4);
  for (const { metadata } of waiting) context.enqueue(workKey('deployment', key.namespace, metadata.name));
}

/** Removes the finalizer once Argo CD has nothing left of the deployment. */
async function letGo(context: Context, deployment: ObservedDeployment, signal: AbortSignal): Promise<void> {
  const { finalizers = [], uid = '', namespace = '', name, resourceVersion = '' } = deployment.metadata;
  if (!finalizers.includes(finalizer)) return;
  const operation = await operationOf(context.db, 'Application', uid);
  if (!isReached(operation)) return;
  if (operation?.state === 'Failed') {
    const problem = { reason: 'OperationFailed', message: operation.human_readable_state ?? '' };
    return writeDeploymentStatus(context, deployment, undefined, problem, signal);
  }
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((other) => other !== finalizer) } };
  try {
    await context.client.patch(gitopsDeploymentKind.type, { namespace, name }, 'merge', body, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Updates the rows. Returns what the tenant has to fix as a problem. */
async function runOperation(
  context: Context,
  deployment: ObservedDeployment,
  row: DeploymentRow | undefined,
  requestedOn: Date,
): Promise<Problem | undefined> {
  const { namespace = '', uid = '', name, generation = 0 } = deployment.metadata;
  const tenant = tenantOf(context, namespace);
  try {
    const spec = readDeploymentSpec(deployment as never);
    checkHost(spec.repository, context.settings.refusedHosts, 'spec.source.repoURL');
    const { destination, environment } = await destinationOf(context, spec, tenant);
    const desired = applicationSpec(spec, destination, tenant.uid);
    if (row && isDeepStrictEqual(row.spec, desired) && row.environment === environment) return failureOf(row);
    const now = new Date(context.clock.now());
    const change = {
      uid,
      name,
      namespace,
      tenant: tenant.uid,
      instance: context.instance,
      spec: desired,
      repository: spec.repository,
      ...(row && row.repository !== spec.repository ? { formerRepository: row.repository } : {}),
      environment,
      sourceGeneration: generation,
      requestedOn,
      now,
    };
    if (row && row.repository === spec.repository && row.environment === environment) {
      await changeApplication(context.db, change);
    } else {
      await changing(context.db, async (tx) => {
        if (!row) await admit(context, tx, tenant, now);
        await putApplication(tx, change);
      });
    }
    wakeSyncRuns(context, namespace, name);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return { reason: error.reason, message: error.message };
    throw error;
  }
}

/** A sync run that waited for its deployment may start. */
function wakeSyncRuns(context: Context, namespace: string, name: string): void {
  if (context.syncRuns.byIndex('deployment', `${namespace}/${name}`).length > 0)
    context.enqueue(workKey('sync', namespace, name));
}

type Tx = Parameters<typeof ensureTenant>[0];

async function admit(context: Context, tx: Tx, tenant: Tenant, now: Date): Promise<void> {
  await ensureTenant(tx, tenant, context.instance, now);
  const annotations = context.namespaces.get(tenant.namespace)?.metadata.annotations;
  const { deployments: limit } = quotasOf(annotations, context.settings.quotas);
  if ((await countApplications(tx, tenant.uid, limit)) < limit) return;
  throw new UserError(
    'QuotaExceeded',
    `this namespace has reached its limit of ${limit} GitOpsDeployments: delete one, or ask your administrator for more`,
  );
}

/** The tenant of a namespace. Fails, and is retried, until the watch has delivered the namespace. */
export function tenantOf(context: Pick<Context, 'namespaces'>, namespace: string): Tenant {
  const uid = context.namespaces.get(namespace)?.metadata.uid;
  if (uid === undefined) throw new Error(`the namespace ${namespace} is not known yet`);
  return { uid, namespace };
}

async function destinationOf(
  context: Context,
  spec: DeploymentSpec,
  tenant: Tenant,
): Promise<{ readonly destination: Destination; readonly environment: string }> {
  if (spec.environment === undefined) {
    return {
      destination: { kind: 'own-namespace', namespace: tenant.namespace },
      environment: ownEnvironmentOf(tenant),
    };
  }
  const seen = context.environments.get(`${tenant.namespace}/${spec.environment}`);
  if (!seen || seen.metadata.deletionTimestamp) {
    throw new UserError(
      'EnvironmentNotFound',
      `spec.destination.environment: there is no GitOpsDeploymentManagedEnvironment ${spec.environment} in this namespace`,
    );
  }
  const environment = await environmentOf(context.db, seen.metadata.uid ?? '', tenant.uid);
  if (!environment) {
    throw new UserError(
      'EnvironmentNotReady',
      `spec.destination.environment: ${spec.environment} is not connected yet: see its conditions`,
    );
  }
  const { namespace = '' } = spec;
  if (environment.namespaces.length > 0 && !environment.namespaces.includes(namespace)) {
    throw new UserError(
      'NamespaceNotPermitted',
      `spec.destination.namespace: ${spec.environment} is open for ${environment.namespaces.join(', ')}, not for ${namespace || 'objects of any namespace'}`,
    );
  }
  return { destination: { kind: 'environment', id: environment.id, namespace }, environment: environment.id };
}

/** The Operation failed, with a reason. */
function failureOf({ operation }: DeploymentRow): Problem | undefined {
  if (!operation?.message) return undefined;
  if (operation.state === 'Failed') return { reason: 'OperationFailed', message: operation.message };
  return operation.reached < operation.generation ? { reason: 'Retrying', message: operation.message } : undefined;
}
