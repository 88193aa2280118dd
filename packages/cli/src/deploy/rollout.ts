import { deploymentType, find, type KubeObject } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, sleep } from '@fairlead/kube';
import { nameOf } from './installation.ts';
import type { RoleDeployment } from './role-table.ts';

export interface DeploymentState extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: { readonly spec?: { readonly containers?: readonly { readonly image?: string }[] } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

export const deploymentOf = (
  client: Pick<ApiClient, 'get'>,
  namespace: string,
  { name }: Pick<RoleDeployment, 'name'>,
): Promise<DeploymentState | undefined> =>
  find(client.get<DeploymentState>(deploymentType, { namespace, name: nameOf(name) }));

export const imageOf = (deployment: DeploymentState | undefined): string =>
  deployment?.spec?.template?.spec?.containers?.[0]?.image ?? '';

/** What a Deployment still waits for; undefined once all its pods are new and available. */
export function awaitedOf({ metadata, spec, status = {} }: DeploymentState): string | undefined {
  const desired = spec?.replicas ?? 1;
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  if (observedGeneration < (metadata.generation ?? 0)) return 'is not observed yet';
  if (updatedReplicas < desired) return `${updatedReplicas} of ${desired} pods are new`;
  return availableReplicas < desired ? `${availableReplicas} of ${desired} pods are available` : undefined;
}

/** Waits until the new pods of all roles are available. Returns what is still awaited when the time is up. */
export async function awaitRollout(
  client: Pick<ApiClient, 'get'>,
  namespace: string,
  roles: readonly RoleDeployment[],
  { clock, timeoutMs, signal }: { readonly clock: Clock; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string[]> {
  const end = clock.now() + timeoutMs;
  for (;;) {
    const awaited: string[] = [];
    for (const role of roles) {
      const live = await deploymentOf(client, namespace, role);
      const problem = live ? awaitedOf(live) : 'does not exist';
      if (problem !== undefined) awaited.push(`Deployment ${namespace}/${nameOf(role.name)}: ${problem}`);
    }
    if (awaited.length === 0 || clock.now() >= end) return awaited;
    await sleep(clock, 1_000, signal);
  }
}
