import type { GitOpsDeploymentManagedEnvironment } from '@fairlead/api';
import { ConnectionProblem } from './connection-problem.ts';
import type { Context } from './context.ts';
import type { ClusterLogin } from './probes.ts';
import { readApiUrl, readLogin } from './read-login.ts';
import { readSecret } from './read-secret.ts';

const secretTypeName = 'managed-gitops.redhat.com/managed-environment';

/** The credentials for an environment in the tenant's Secret. */
export async function tenantLogin(
  context: Context,
  { spec, metadata: { namespace = '' } }: GitOpsDeploymentManagedEnvironment,
  signal: AbortSignal,
): Promise<ClusterLogin> {
  readApiUrl(spec.apiURL, context.settings.refusedHosts);
  const secret = await readSecret(context, { namespace, name: spec.credentialsSecret, type: secretTypeName }, signal);
  const kubeconfig = secret.text('kubeconfig');
  if (kubeconfig === '')
    throw new ConnectionProblem('MissingKubeConfigField', `the Secret ${spec.credentialsSecret} has no key kubeconfig`);
  return readLogin(kubeconfig, spec);
}
