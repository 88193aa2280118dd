import { type GitOpsDeploymentManagedEnvironment, gitopsDeploymentManagedEnvironmentKind } from '@fairlead/api';
import { readSealed } from '../cipher.ts';
import { conditionType } from '../conditions.ts';
import type { Database } from '../database/index.ts';
import { loginPlace } from '../operation-controller/cluster-secret.ts';
import { quotasOf } from '../settings.ts';
import { stableHash } from '../stable-hash.ts';
import {
  changing,
  countEnvironments,
  type EnvironmentRow,
  ensureTenant,
  environmentOf,
  environmentType,
  failureOf,
  mappedNamed,
  operationOf,
  putEnvironment,
  removeEnvironment,
  type Tenant,
} from '../store/index.ts';
import { workKey } from '../tenant-lanes.ts';
import { ConnectionProblem } from './connection-problem.ts';
import type { Context } from './context.ts';
import { tenantOf } from './deployment-runner.ts';
import type { ClusterLogin } from './probes.ts';
import { readNamespaces } from './read-login.ts';
import { holdAccount, releaseAccount } from './release-account.ts';
import { accountNameOf } from './service-account.ts';
import { tenantLogin } from './tenant-login.ts';
import { writeConditions } from './write-conditions.ts';

/** Reconciles the rows with the environment of a name, after signing in to it, and reports the result in its conditions. */
export async function runEnvironment(
  context: Context,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  retries: number,
  signal: AbortSignal,
): Promise<void> {
  const { db, instance, clock } = context;
  const environment = context.environments.get(`${namespace}/${name}`);
  const isHere = environment !== undefined && !environment.metadata.deletionTimestamp;
  if (environment && !isHere) await releaseAccount(context, environment, { retries }, signal);
  for (const { id, tenant } of await mappedNamed(db, environmentType, namespace, name)) {
    if (isHere && id === environment.metadata.uid) continue;
    const now = new Date(clock.now());
    await changing(db, (tx) => removeEnvironment(tx, { id, tenant, instance, now }));
    wakeDeployments(context, namespace, name);
  }
  if (!isHere) return;
  const problem =
    (await connect(context, environment, retries, signal)) ?? (await operationProblem(context, environment));
  await writeConditions(
    context,
    gitopsDeploymentManagedEnvironmentKind.type,
    environment,
    [
      problem
        ? {
            type: conditionType.connectionInitializationSucceeded,
            status: 'False',
            reason: problem.reason,
            message: problem.message,
          }
        : {
            type: conditionType.connectionInitializationSucceeded,
            status: 'True',
            reason: 'Succeeded',
            message: 'the cluster was signed in to',
          },
    ],
    signal,
  );
  wakeDeployments(context, namespace, name);
  if (problem?.retriable) throw problem;
}

/** Signing in worked, and Argo CD could not be given the credentials. */
async function operationProblem(
  { db }: Context,
  { metadata }: GitOpsDeploymentManagedEnvironment,
): Promise<ConnectionProblem | undefined> {
  const failure = failureOf(await operationOf(db, 'ManagedEnvironment', metadata.uid ?? ''));
  return failure === undefined ? undefined : new ConnectionProblem('OperationFailed', failure);
}

async function connect(
  context: Context,
  environment: GitOpsDeploymentManagedEnvironment,
  retries: number,
  signal: AbortSignal,
): Promise<ConnectionProblem | undefined> {
  const { spec, metadata } = environment;
  const { namespace = '', uid = '' } = metadata;
  try {
    const namespaces = readNamespaces(spec.namespaces ?? []);
    const login = await tenantLogin(context, environment, signal);
    const tenant = tenantOf(context, namespace);
    const before = await environmentOf(context.db, uid, tenant.uid);
    if (!before) await checkQuota(context, context.db, tenant);
    const isElsewhere = before !== undefined && before.host !== login.server;
    // The account is in the cluster of the stored login. A cluster that was replaced may no longer exist: one attempt.
    if (isElsewhere || (before && !spec.createNewServiceAccount)) {
      const attempts = isElsewhere ? Number.POSITIVE_INFINITY : retries;
      const keepFinalizer = spec.createNewServiceAccount ?? false;
      await releaseAccount(context, environment, { retries: attempts, keepFinalizer }, signal);
    }
    if (spec.createNewServiceAccount) await holdAccount(context, environment, signal);
    const probed = await context.probeCluster(
      login,
      { namespaces, ...(spec.createNewServiceAccount ? { newServiceAccount: accountNameOf(uid) } : {}) },
      signal,
    );
    const { certificate: _, basic: __, ...tokenLogin } = login;
    const used: ClusterLogin = probed.token === undefined ? login : { ...tokenLogin, token: probed.token };
    await store(context, environment, used, namespaces, before);
    return undefined;
  } catch (error) {
    if (error instanceof ConnectionProblem) return error;
    throw error;
  }
}

async function checkQuota(context: Context, db: Database, tenant: Tenant): Promise<void> {
  const annotations = context.namespaces.get(tenant.namespace)?.metadata.annotations;
  const { environments: limit } = quotasOf(annotations, context.settings.quotas);
  if ((await countEnvironments(db, tenant.uid)) < limit) return;
  throw new ConnectionProblem(
    'QuotaExceeded',
    `this namespace has reached its limit of ${limit} environments: delete one, or ask your administrator for more`,
  );
}

async function store(
  context: Context,
  { spec, metadata }: GitOpsDeploymentManagedEnvironment,
  login: ClusterLogin,
  namespaces: string[],
  before: EnvironmentRow | undefined,
): Promise<void> {
  const { cipher, instance, clock, db } = context;
  const { namespace = '', uid = '', name } = metadata;
  const tenant = tenantOf(context, namespace);
  const row = {
    host: login.server,
    insecure: login.insecure,
    namespaces,
    clusterResources: spec.clusterResources ?? false,
  };
  const isKnown =
    before !== undefined &&
    stableHash({ ...row, login }) ===
      stableHash({
        host: before.host,
        insecure: before.insecure,
        namespaces: before.namespaces,
        clusterResources: before.clusterResources,
        // A row that cannot be read, because of another key or damage, is written again.
        login: readSealed(cipher, before.login, loginPlace(uid)),
      });
  if (isKnown) return;
  const now = new Date(clock.now());
  await changing(db, async (tx) => {
    await ensureTenant(tx, tenant, instance, now);
    if (!before) await checkQuota(context, tx, tenant);
    const sealed = cipher.encrypt(JSON.stringify(login), loginPlace(uid));
    await putEnvironment(tx, { ...row, id: uid, name, tenant, login: sealed, instance, now });
  });
}

/** Enqueues the deployments to an environment after the environment has changed. */
function wakeDeployments(context: Context, namespace: string, name: string): void {
  for (const { metadata } of context.deploymentInformer.byIndex('environment', `${namespace}/${name}`))
    context.enqueue(workKey('deployment', namespace, metadata.name));
}
