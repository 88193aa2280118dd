import type { User } from '../resource.ts';

export const anonymousName = 'system:anonymous';
export const groups = {
  masters: 'system:masters',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  serviceAccounts: 'system:serviceaccounts',
  nodes: 'system:nodes',
} as const;

/** Keys of `extra` that the server sets. */
export const extraKeys = {
  podName: 'authentication.kubernetes.io/pod-name',
  podUid: 'authentication.kubernetes.io/pod-uid',
  nodeName: 'authentication.kubernetes.io/node-name',
  nodeUid: 'authentication.kubernetes.io/node-uid',
  credentialId: 'authentication.kubernetes.io/credential-id',
} as const;

export const anonymous: User = { name: anonymousName, groups: [groups.unauthenticated] };

const serviceAccountPrefix = 'system:serviceaccount:';
const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const dnsSubdomain = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export const serviceAccountName = (namespace: string, name: string): string =>
  `${serviceAccountPrefix}${namespace}:${name}`;

export const serviceAccountGroups = (namespace: string): string[] => [
  groups.serviceAccounts,
  `${groups.serviceAccounts}:${namespace}`,
];

export function parseServiceAccountName(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace, name, ...rest] = user.slice(serviceAccountPrefix.length).split(':');
  if (namespace === undefined || name === undefined || rest.length > 0) return undefined;
  if (!dnsLabel.test(namespace) || !dnsSubdomain.test(name)) return undefined;
  return { namespace, name };
}

export function parseNodeName(user: string): string | undefined {
  const prefix = 'system:node:';
  const name = user.startsWith(prefix) ? user.slice(prefix.length) : '';
  return dnsSubdomain.test(name) ? name : undefined;
}

/** Every authenticated user is in `system:authenticated`, unless its groups already contain it or `system:unauthenticated`. */
export function withAuthenticatedGroup(user: User): User {
  if (user.name === anonymousName) return user;
  if (user.groups.includes(groups.authenticated) || user.groups.includes(groups.unauthenticated)) return user;
  return { ...user, groups: [...user.groups, groups.authenticated] };
}
