import type { Application, GitOpsDeployment } from '@fairlead/api';
import type { InstallationState } from './installation-state.ts';

/** On Applications of the multi-tenant service: the uid of the GitOpsDeployment. */
const deploymentLabel = 'databaseID';
/** On the same Applications: the uid of the tenant's namespace. */
const tenantLabel = 'managed-gitops.redhat.com/tenant';

/** The GitOpsDeployment that an Application was made from. Undefined if no tenant owns the Application. */
export function tenantDeployment(
  installation: InstallationState,
  { metadata }: Application,
): { readonly deployment?: GitOpsDeployment } | undefined {
  const uid = metadata.labels?.[deploymentLabel];
  if (uid === undefined || metadata.labels?.[tenantLabel] === undefined) return undefined;
  const deployment = installation.deploymentWith(uid);
  return deployment ? { deployment } : {};
}
