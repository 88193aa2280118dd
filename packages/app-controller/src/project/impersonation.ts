import type { AppProject } from '@fairlead/api';
import { matchesGlob } from '../glob.ts';
import type { DestinationCluster } from './project.ts';

/** Whether syncs impersonate the service accounts of projects. */
export interface ImpersonationSettings {
  readonly enabled: boolean;
  /** A sync fails if the project has no matching service account. */
  readonly enforced: boolean;
}

/**
 * Why a sync may not run with impersonation enabled. Impersonation is not supported, and the permissions of the service account must not be
 * exceeded.
 */
export function impersonationProblem(
  { enabled, enforced }: ImpersonationSettings,
  { metadata, spec }: AppProject,
  { server }: DestinationCluster,
  namespace: string,
): string | undefined {
  if (!enabled) return undefined;
  const account = (spec.destinationServiceAccounts ?? []).find(
    (entry) => matchesGlob(entry.server ?? '', server) && matchesGlob(entry.namespace ?? '', namespace),
  )?.defaultServiceAccount;
  if (account !== undefined) {
    return `project '${metadata.name}' requires the service account ${account}, and impersonation is not supported: set application.sync.impersonation.enabled in argocd-cm to false`;
  }
  return enforced
    ? `no matching service account found for destination server ${server} and namespace ${namespace}`
    : undefined;
}
