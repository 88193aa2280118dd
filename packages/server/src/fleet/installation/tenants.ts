import type { Application, GitOpsDeployment } from '@fairlead/api';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { Tenant } from '../api/installation-shapes.ts';
import type { InstallationState } from './installation-state.ts';
import { tenantDeployment } from './tenant.ts';
import { seesAll, visibleApplications } from './visible-applications.ts';

/** Problems of one tenant that are listed. */
const mostProblems = 20;

/**
 * The tenants that the caller may see: those of visible Applications. Deployments without an Application are listed if the caller sees another
 * Application of the tenant, or all Applications.
 */
export function listTenants(
  server: Server,
  installation: InstallationState,
  context: CallContext,
): { items: Tenant[] } {
  const applications = new Map<string, Application[]>();
  for (const application of visibleApplications(server, context)) {
    const name = tenantDeployment(installation, application)?.deployment?.metadata.namespace;
    if (name === undefined) continue;
    const known = applications.get(name);
    if (known) known.push(application);
    else applications.set(name, [application]);
  }
  const isAll = seesAll(server, context);
  const deployments = Map.groupBy(installation.deployments.list(), ({ metadata }) => metadata.namespace ?? '');
  const names = isAll ? [...deployments.keys()] : [...applications.keys()];
  return {
    items: names.sort().map((name) => tenantOf(name, applications.get(name) ?? [], deployments.get(name) ?? [])),
  };
}

function tenantOf(
  name: string,
  applications: readonly Application[],
  deployments: readonly GitOpsDeployment[],
): Tenant {
  const count = (values: readonly string[]): Record<string, number> =>
    Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
  return {
    name,
    applications: applications.length,
    sync: count(applications.map(({ status }) => status?.sync?.status ?? 'Unknown')),
    health: count(applications.map(({ status }) => status?.health?.status ?? 'Unknown')),
    deployments: deployments.length,
    problems: deployments.flatMap(problemOf).slice(0, mostProblems),
  };
}

function problemOf({ metadata, status }: GitOpsDeployment): string[] {
  const found = status?.conditions?.find(({ type, status: is }) => type === 'ErrorOccurred' && is === 'True');
  return found ? [`${metadata.name}: ${found.message ?? found.reason ?? 'no reason was reported'}`] : [];
}
