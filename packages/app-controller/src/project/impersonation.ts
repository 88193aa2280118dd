import type { Application, AppProject } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import type { Actor } from '@fairlead/engine';
import { globProblem, matchesGlob } from '../glob.ts';
import type { DestinationCluster } from './project.ts';

/** Whether syncs impersonate the service accounts of projects. */
export interface ImpersonationSettings {
  readonly enabled: boolean;
  /** A sync fails if the project has no matching service account. */
  readonly enforced: boolean;
}

type Subject = Pick<Application, 'metadata' | 'spec'>;

/**
 * Who syncs an Application and handles its live objects: the service account that its project names for the destination, or nobody if
 * impersonation is enforced and the project names none.
 */
export function actorOf(
  settings: ImpersonationSettings | undefined,
  project: AppProject,
  cluster: DestinationCluster,
  application: Subject,
): Actor {
  if (!settings?.enabled) return {};
  try {
    const user = serviceAccountFor(project, cluster, application);
    if (user !== undefined) return { user };
  } catch (error) {
    return { problem: `failed to derive service account to impersonate: ${messageOf(error)}` };
  }
  if (!settings.enforced) return {};
  const { namespace = '' } = application.spec.destination;
  return {
    problem: `no matching service account found for destination server ${cluster.server} and namespace ${namespace}`,
  };
}

/**
 * The user name of the first service account in `destinationServiceAccounts` that matches the destination. Throws if the entry that decides
 * is invalid.
 */
export function serviceAccountFor(
  { spec: { destinationServiceAccounts = [] } }: AppProject,
  { server }: DestinationCluster,
  { metadata, spec }: Subject,
): string | undefined {
  const { namespace = '' } = spec.destination;
  for (const entry of destinationServiceAccounts) {
    if (!matches('server', entry.server ?? '', server)) continue;
    if (!matches('namespace', entry.namespace ?? '', namespace)) continue;
    return userName(entry.defaultServiceAccount, namespace || (metadata.namespace ?? ''));
  }
  return undefined;
}

function matches(field: 'server' | 'namespace', pattern: string, value: string): boolean {
  const problem = globProblem(pattern);
  if (problem !== undefined) throw new Error(`invalid glob pattern for destination ${field}: ${problem}`);
  return matchesGlob(pattern, value);
}

function userName(account: string, namespace: string): string {
  if (account.trim() === '' || /[!*[\]{}\\/]/u.test(account)) {
    throw new Error(`default service account contains invalid chars '${account}'`);
  }
  return `system:serviceaccount:${account.includes(':') ? account : `${namespace}:${account}`}`;
}
