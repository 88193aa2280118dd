import type { AppProject } from '@fairlead/api';
import { matchesGlob } from '../glob.ts';
import type { DestinationCluster } from './project.ts';

/** Whether syncs act as the service accounts that projects name. */
export interface ImpersonationSettings {
  readonly enabled: boolean;
  /** A sync for which the project names no service account fails. */
  readonly enforced: boolean;
}

/** Why a sync may not run where impersonation is on. To act as a service account is not supported, and its rights must not be exceeded. */
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
    return `project '${metadata.name}' asks for service account ${account}, and impersonation is not supported: set application.sync.impersonation.enabled in argocd-cm to false`;
  }
  return enforced
    ? `no matching service account found for destination server ${server} and namespace ${namespace}`
    : undefined;
}
