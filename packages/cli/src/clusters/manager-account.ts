import {
  isAlreadyExists,
  type KubeObject,
  type ResourceType,
  type Secret,
  secretType,
  secretValue,
  serviceAccountType,
} from '@fairlead/apimachinery';
import { type ApiClient, sleep, systemClock } from '@fairlead/kube';
import { CliError } from '../cli-error.ts';

const rbac = (kind: string, plural: string, namespaced: boolean): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const clusterRoleType = rbac('ClusterRole', 'clusterroles', false);
const clusterRoleBindingType = rbac('ClusterRoleBinding', 'clusterrolebindings', false);
const roleType = rbac('Role', 'roles', true);
const roleBindingType = rbac('RoleBinding', 'rolebindings', true);

/** The names that argocd uses, so that either command can replace what the other has created. */
const account = 'argocd-manager';
const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
const waitMs = 30_000;

export interface ManagerOptions {
  /** Of the service account. */
  readonly namespace: string;
  /** The namespaces that it may change; all if empty. */
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
  /** A service account that exists; its rights are not changed. */
  readonly existing?: string;
}

/** Creates the service account that a cluster is managed with, and returns its token. What is there is left as it is. */
export async function managerToken(client: ApiClient, options: ManagerOptions): Promise<string> {
  const { namespace, existing } = options;
  const name = existing ?? account;
  if (existing === undefined) {
    await ensure(client, serviceAccountType, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace },
    });
    for (const [type, object] of rights(options)) await ensure(client, type, object);
  }
  return tokenOf(client, namespace, name);
}

function rights({ namespace, namespaces, clusterResources }: ManagerOptions): [ResourceType, KubeObject][] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace }];
  const named = (kind: string, name: string, where?: string) => ({
    apiVersion,
    kind,
    metadata: { name, ...(where === undefined ? {} : { namespace: where }) },
  });
  const grant = (role: string, binding: string, where?: string): [ResourceType, KubeObject][] => {
    const [kind, bindingKind] = where === undefined ? ['ClusterRole', 'ClusterRoleBinding'] : ['Role', 'RoleBinding'];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name: role };
    return [
      [
        where === undefined ? clusterRoleType : roleType,
        Object.assign(named(kind, role, where), { rules: everything }),
      ],
      [
        where === undefined ? clusterRoleBindingType : roleBindingType,
        Object.assign(named(bindingKind, binding, where), { roleRef, subjects }),
      ],
    ];
  };
  const [role, binding] = [`${account}-role`, `${account}-role-binding`];
  const all = namespaces.length === 0 || clusterResources ? grant(role, binding) : [];
  return [...all, ...namespaces.flatMap((where) => grant(role, binding, where))];
}

async function ensure(client: ApiClient, type: ResourceType, object: KubeObject): Promise<void> {
  try {
    await client.create(type, object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/** The token that Kubernetes puts into a Secret of the service account. */
async function tokenOf(client: ApiClient, namespace: string, name: string): Promise<string> {
  const key = { namespace, name: `${name}-long-lived-token` };
  await ensure(client, secretType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...key, annotations: { 'kubernetes.io/service-account.name': name } },
    ...{ type: 'kubernetes.io/service-account-token' },
  });
  for (const until = systemClock.now() + waitMs; systemClock.now() < until; await sleep(systemClock, 250)) {
    const token = secretValue(await client.get<Secret>(secretType, key), 'token');
    if (token) return token;
  }
  throw new CliError(`Secret ${namespace}/${key.name} has no token after 30 s: check the service account ${name}`);
}
