import { kinds } from '@fairlead/api';
import {
  apiVersionOf,
  deploymentType,
  find,
  isForbidden,
  type KubeObject,
  leaseType,
  parseTime,
  type ResourceType,
  textAt,
} from '@fairlead/apimachinery';
import { Discovery, findByApiVersion, type HttpClient, type Lease } from '@fairlead/kube';
import { roleLeases } from '../roles/leases.ts';
import { nameOf } from './installation.ts';
import type { DeployedRole } from './policy-rules.ts';
import { deployedRoles } from './role-table.ts';

/** One check: what it is about, and the problem if it failed. */
export interface CheckResult {
  readonly about: string;
  readonly problem?: string;
}

const oldest = [1, 27] as const;
const reviewType: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};
/** Why the version is too old; undefined if it is not. */
export function versionProblem(gitVersion: string): string | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)/u.exec(gitVersion) ?? [];
  if (major === undefined || minor === undefined) return `unknown version ${gitVersion}`;
  const isRecent = Number(major) > oldest[0] || (Number(major) === oldest[0] && Number(minor) >= oldest[1]);
  return isRecent ? undefined : `Kubernetes ${gitVersion} is older than ${oldest.join('.')}`;
}

/** What an installation needs: the version of the cluster, and the permissions of the user. */
export async function checkBefore(client: HttpClient, namespace: string): Promise<CheckResult[]> {
  const answer: unknown = JSON.parse((await client.read('/version')).text);
  const version = textAt(answer, 'gitVersion');
  const needed = [
    { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
    { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' },
    { group: 'apps', resource: 'deployments', namespace },
  ];
  const permissions = needed.map(async (resourceAttributes) => ({
    about: `permission to create ${resourceAttributes.resource}`,
    ...problemOf((await isPermitted(client, resourceAttributes)) ? undefined : 'this user does not have it'),
  }));
  return [
    { about: `Kubernetes ${version}`, ...problemOf(versionProblem(version)) },
    ...(await Promise.all(permissions)),
  ];
}

async function isPermitted(client: HttpClient, attributes: object): Promise<boolean> {
  const review: KubeObject & { spec: object; status?: { allowed?: boolean } } = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: { name: '' },
    spec: { resourceAttributes: { ...attributes, verb: 'create' } },
  };
  return (await client.create(reviewType, review)).status?.allowed ?? false;
}

type DeploymentStatus = KubeObject & { spec?: { replicas?: number }; status?: { availableReplicas?: number } };

/** What runs: the CRDs, the Deployment of every role, and the process that works for it. */
export async function checkAfter(client: HttpClient, namespace: string, now = Date.now()): Promise<CheckResult[]> {
  const catalogue = await new Discovery(client).catalogue();
  const missing = kinds.filter(({ type }) => !findByApiVersion(catalogue, apiVersionOf(type), type.kind));
  const results: CheckResult[] = [
    {
      about: `${kinds.length} CRDs`,
      ...problemOf(missing.length === 0 ? undefined : `missing: ${missing.map(({ type }) => type.kind).join(', ')}`),
    },
  ];
  for (const { name } of deployedRoles) {
    const about = `Deployment ${namespace}/${nameOf(name)}`;
    try {
      const key = { namespace, name: nameOf(name) };
      const live = await find(client.get<DeploymentStatus>(deploymentType, key));
      const isOff = live?.spec?.replicas === 0;
      results.push({ about: isOff ? `${about} (off)` : about, ...problemOf(notRunning(live)) });
      if (live && !isOff && name in roleLeases) results.push(await checkLease(client, namespace, name, now));
    } catch (error) {
      if (!isForbidden(error)) throw error;
      results.push({ about, problem: 'this user may not read it' });
    }
  }
  return results;
}

/** A Lease that nobody renews: no process of the role works, even if its pods are ready. */
async function checkLease(
  client: HttpClient,
  namespace: string,
  role: DeployedRole,
  now: number,
): Promise<CheckResult> {
  const leases: Readonly<Record<string, string>> = roleLeases;
  const name = leases[role] ?? '';
  const lease = await find(client.get<Lease>(leaseType, { namespace, name }));
  const { holderIdentity: holder = '', renewTime, leaseDurationSeconds = 0 } = lease?.spec ?? {};
  const about = `Lease ${namespace}/${name}`;
  if (holder === '') return { about, problem: 'nobody holds it: read the log of the role' };
  const silentMs = now - (parseTime(renewTime) ?? 0);
  if (silentMs <= 2_000 * leaseDurationSeconds) return { about: `${about} (${holder})` };
  return { about, problem: `${holder} has not renewed it for ${Math.round(silentMs / 1000)} s` };
}

/** Roles that need the whole cluster are not part of an installation with permissions in its namespace only. */
function notRunning(live: DeploymentStatus | undefined): string | undefined {
  if (!live) return 'not installed: run fairlead install';
  const desired = live.spec?.replicas ?? 1;
  const available = live.status?.availableReplicas ?? 0;
  return available >= desired ? undefined : `${available} of ${desired} replicas are available`;
}

const problemOf = (problem: string | undefined): { problem?: string } => (problem === undefined ? {} : { problem });
