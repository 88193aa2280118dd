import { type GitOpsDeploymentManagedEnvironment, gitopsDeploymentManagedEnvironmentKind } from '@fairlead/api';
import { find, messageOf } from '@fairlead/apimachinery';
import { readSealed } from '../cipher.ts';
import { loginPlace } from '../operation-controller/cluster-secret.ts';
import { environmentById } from '../store/index.ts';
import { ConnectionProblem } from './connection-problem.ts';
import type { Context } from './context.ts';
import { type ClusterLogin, readClusterLogin } from './probes.ts';
import { accountNameOf } from './service-account.ts';
import { tenantLogin } from './tenant-login.ts';

/** An environment has it while a service account with the role cluster-admin may exist in its cluster. */
export const accountFinalizer = 'managed-gitops.redhat.com/service-account';
/** After about an hour of retries, the account of a cluster that cannot be reached is left to its administrator. */
const giveUpAfter = 60;

const hasFinalizer = ({ metadata }: GitOpsDeploymentManagedEnvironment): boolean =>
  metadata.finalizers?.includes(accountFinalizer) ?? false;

/** Before an account is created: the environment cannot disappear without the account. */
export async function holdAccount(
  context: Context,
  environment: GitOpsDeploymentManagedEnvironment,
  signal: AbortSignal,
): Promise<void> {
  if (hasFinalizer(environment)) return;
  await writeFinalizers(context, environment, [...(environment.metadata.finalizers ?? []), accountFinalizer], signal);
}

/** Removes the account from the cluster that it was created in, and, unless there will be another one, the finalizer. */
export async function releaseAccount(
  context: Context,
  environment: GitOpsDeploymentManagedEnvironment,
  { retries, keepFinalizer = false }: { readonly retries: number; readonly keepFinalizer?: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (!hasFinalizer(environment)) return;
  try {
    await removeAccount(context, environment, signal);
  } catch (error) {
    if (!(error instanceof ConnectionProblem)) throw error;
    if (error.retriable && retries < giveUpAfter) throw error;
    context.log.warn('a service account could not be removed: delete its ClusterRoleBinding manually', {
      cluster: environment.spec.apiURL,
      binding: accountNameOf(environment.metadata.uid ?? ''),
      reason: messageOf(error),
    });
  }
  if (keepFinalizer) return;
  const others = (environment.metadata.finalizers ?? []).filter((name) => name !== accountFinalizer);
  await writeFinalizers(context, environment, others, signal);
}

/** With the account's own token, or with the credentials of the tenant. */
async function removeAccount(
  context: Context,
  environment: GitOpsDeploymentManagedEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const uid = environment.metadata.uid ?? '';
  const stored = await storedLogin(context, uid);
  const remove = (login: ClusterLogin): Promise<void> =>
    context.removeServiceAccount(login, accountNameOf(uid), signal);
  if (!stored) return remove(await tenantLogin(context, environment, signal));
  try {
    await remove(stored);
  } catch (error) {
    if (!(error instanceof ConnectionProblem)) throw error;
    const login = await tenantLogin(context, environment, signal).catch(() => undefined);
    if (!login || login.server !== stored.server) throw error;
    await remove(login);
  }
}

async function storedLogin({ db, cipher }: Context, uid: string): Promise<ClusterLogin | undefined> {
  const row = await environmentById(db, uid);
  const login = row && readSealed(cipher, row.login, loginPlace(uid));
  return login === undefined ? undefined : readClusterLogin(login);
}

async function writeFinalizers(
  { client }: Context,
  { metadata: { namespace = '', name, resourceVersion = '' } }: GitOpsDeploymentManagedEnvironment,
  finalizers: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const body = { metadata: { resourceVersion, finalizers } };
  const { type } = gitopsDeploymentManagedEnvironmentKind;
  await find(client.patch(type, { namespace, name }, 'merge', body, { signal }));
}
