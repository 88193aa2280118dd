import {
  gitopsDeploymentKind,
  gitopsDeploymentManagedEnvironmentKind,
  gitopsDeploymentRepositoryCredentialKind,
  gitopsDeploymentSyncRunKind,
} from '@fairlead/api';
import { isNotFound, type ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';

/**
 * Why no agent can have this name; undefined if it can. An agent's name is also the name of a namespace of the hub, in which the agent has
 * its Applications: it must not be one that has another purpose.
 */
export function reservedNameProblem(agent: string, controlPlaneNamespace: string): string | undefined {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/u.test(agent))
    return `invalid agent name ${agent}: it is also the name of a namespace, so use lowercase letters, digits and dashes`;
  if (agent === controlPlaneNamespace || agent === 'argocd')
    return `agent name ${agent} is reserved: namespace ${agent} is the control plane's`;
  return agent === 'default' || agent.startsWith('kube-')
    ? `agent name ${agent} is reserved: namespace ${agent} is the cluster's own`
    : undefined;
}

const tenantTypes: readonly ResourceType[] = [
  gitopsDeploymentKind.type,
  gitopsDeploymentManagedEnvironmentKind.type,
  gitopsDeploymentRepositoryCredentialKind.type,
  gitopsDeploymentSyncRunKind.type,
];

/** As `reservedNameProblem`, and the namespaces of tenants are refused too. */
export async function agentNameProblem(
  client: ApiClient,
  agent: string,
  controlPlaneNamespace: string,
): Promise<string | undefined> {
  const reserved = reservedNameProblem(agent, controlPlaneNamespace);
  if (reserved !== undefined) return reserved;
  const found = await Promise.all(tenantTypes.map((type) => hasAny(client, type, agent)));
  return found.includes(true)
    ? `agent name ${agent} is taken: namespace ${agent} belongs to a tenant (it has a GitOpsDeployment or similar); choose another name`
    : undefined;
}

async function hasAny(client: ApiClient, type: ResourceType, namespace: string): Promise<boolean> {
  try {
    return (await client.list(type, { namespace, limit: 1 })).items.length > 0;
  } catch (error) {
    // A hub without the service does not have the kind.
    if (isNotFound(error)) return false;
    throw error;
  }
}
