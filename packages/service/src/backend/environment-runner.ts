import { type GitOpsDeploymentManagedEnvironment, gitopsDeploymentManagedEnvironmentKind } from '@fairlead/api';
import { conditionType } from '../conditions.ts';
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
  mappedNamed,
  putEnvironment,
  removeEnvironment,
} from '../store/index.ts';
import { workKey } from '../tenant-lanes.ts';
import { ConnectionProblem } from './connection-problem.ts';
import type { Context } from './context.ts';
import { tenantOf } from './deployment-runner.ts';
import type { ClusterLogin } from './probes.ts';
import { readApiUrl, readLogin, readNamespaces } from './read-login.ts';
import { readSecret } from './read-secret.ts';
import { writeConditions } from './write-conditions.ts';

const secretTypeName = 'managed-gitops.redhat.com/managed-environment';

/** Reconciles the rows with the environment of a name, after signing in to it, and reports the result in its conditions. */
export async function runEnvironment(
  context: Context,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, instance, clock } = context;
  const environment = context.environments.get(`${namespace}/${name}`);
  const isHere = environment !== undefined && !environment.metadata.deletionTimestamp;
  for (const { id, tenant } of await mappedNamed(db, environmentType, namespace, name)) {
    if (isHere && id === environment.metadata.uid) continue;
    const now = new Date(clock.now());
    await changing(db, (tx) => removeEnvironment(tx, { id, tenant, instance, now }));
    wakeDeployments(context, namespace, name);
  }
  if (!isHere) return;
  const problem = await connect(context, environment, signal);
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

async function connect(
  context: Context,
  environment: GitOpsDeploymentManagedEnvironment,
  signal: AbortSignal,
): Promise<ConnectionProblem | undefined> {
  const { spec, metadata } = environment;
  const { namespace = '', uid = '' } = metadata;
  try {
    const namespaces = readNamespaces(spec.namespaces ?? []);
    readApiUrl(spec.apiURL, context.settings.refusedHosts);
    const secret = await readSecret(context, { namespace, name: spec.credentialsSecret, type: secretTypeName }, signal);
    const kubeconfig = secret.text('kubeconfig');
    if (kubeconfig === '')
      return new ConnectionProblem(
        'MissingKubeConfigField',
        `the Secret ${spec.credentialsSecret} has no key kubeconfig`,
      );
    const login = readLogin(kubeconfig, spec);
    const tenant = tenantOf(context, namespace);
    const before = await environmentOf(context.db, uid, tenant.uid);
    const newServiceAccount = spec.createNewServiceAccount ? `fairlead-manager-${uid.slice(0, 8)}` : undefined;
    const probed = await context.probeCluster(
      login,
      { namespaces, ...(newServiceAccount === undefined ? {} : { newServiceAccount }) },
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
        login: JSON.parse(cipher.decrypt(before.login, loginPlace(uid))),
      });
  if (isKnown) return;
  const now = new Date(clock.now());
  await changing(db, async (tx) => {
    await ensureTenant(tx, tenant, instance, now);
    const { environments: limit } = quotasOf(
      context.namespaces.get(namespace)?.metadata.annotations,
      context.settings.quotas,
    );
    if (!before && (await countEnvironments(tx, tenant.uid)) >= limit) {
      throw new ConnectionProblem(
        'QuotaExceeded',
        `this namespace may have ${limit} environments and has them: delete one, or ask your administrator for more`,
      );
    }
    const sealed = cipher.encrypt(JSON.stringify(login), loginPlace(uid));
    await putEnvironment(tx, { ...row, id: uid, name, tenant, login: sealed, instance, now });
  });
}

/** Enqueues the deployments to an environment after the environment has changed. */
function wakeDeployments(context: Context, namespace: string, name: string): void {
  for (const { metadata } of context.deploymentInformer.byIndex('environment', `${namespace}/${name}`))
    context.enqueue(workKey('deployment', namespace, metadata.name));
}
