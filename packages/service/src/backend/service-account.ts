import {
  ApiError,
  find,
  isAlreadyExists,
  type KubeObject,
  secretType,
  serviceAccountType,
} from '@fairlead/apimachinery';
import { type ApiClient, sleep, systemClock } from '@fairlead/kube';
import { ConnectionProblem } from './connection-problem.ts';

const bindingType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};
const namespace = 'kube-system';

/** The service account of an environment with `createNewServiceAccount`. */
export const accountNameOf = (environmentUid: string): string => `fairlead-manager-${environmentUid.slice(0, 8)}`;

/**
 * Creates a service account with the role cluster-admin, and returns its token. Account and token are dependents of the binding: when the
 * binding is deleted, which the account itself may do, the garbage collector of the cluster deletes them.
 */
export async function installServiceAccount(client: ApiClient, name: string, signal: AbortSignal): Promise<string> {
  try {
    const owner = await ensureBinding(client, name, signal);
    const metadata = { name, namespace, ownerReferences: [owner] };
    await ensure(client.create(serviceAccountType, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }, { signal }));
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...metadata, annotations: { 'kubernetes.io/service-account.name': name } },
      type: 'kubernetes.io/service-account-token',
    };
    await ensure(client.create<KubeObject>(secretType, secret, { signal }));
    for (let tries = 0; tries < 50; tries++) {
      const made = await client.get<KubeObject & { data?: Record<string, string> }>(
        secretType,
        { namespace, name },
        { signal },
      );
      const token = made.data?.['token'];
      if (token) return Buffer.from(token, 'base64').toString();
      await sleep(systemClock, 100, signal);
    }
    throw new ConnectionProblem(
      'UnableToInstallServiceAccount',
      'the cluster created no token for the new service account',
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ConnectionProblem('UnableToInstallServiceAccount', `the cluster refuses: ${error.message}`);
  }
}

/**
 * Removes the account, its binding and its token. The client may be the account itself: what is deleted first ends its permissions, so it
 * is the binding, and the rest follows as its dependents.
 */
export async function uninstallServiceAccount(client: ApiClient, name: string, signal: AbortSignal): Promise<void> {
  const binding = await find(client.get<KubeObject>(bindingType, { name }, { signal }));
  if (!binding) return;
  // Accounts of version 0.1.0 are not dependents yet.
  const patch = { metadata: { ownerReferences: [ownerReferenceTo(binding)] } };
  for (const type of [secretType, serviceAccountType])
    await find(client.patch(type, { namespace, name }, 'merge', patch, { signal }));
  const { uid } = binding.metadata;
  await find(
    client.delete(
      bindingType,
      { name },
      { signal, propagationPolicy: 'Background', ...(uid ? { preconditions: { uid } } : {}) },
    ),
  );
}

async function ensureBinding(client: ApiClient, name: string, signal: AbortSignal): Promise<OwnerReference> {
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  };
  await ensure(client.create<KubeObject>(bindingType, binding, { signal }));
  return ownerReferenceTo(await client.get<KubeObject>(bindingType, { name }, { signal }));
}

type OwnerReference = NonNullable<KubeObject['metadata']['ownerReferences']>[number];

const ownerReferenceTo = ({ metadata: { name, uid = '' } }: KubeObject): OwnerReference => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  name,
  uid,
});

const ensure = (creation: Promise<unknown>): Promise<unknown> =>
  creation.catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
