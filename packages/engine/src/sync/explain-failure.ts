import { ApiError, at, messageOf } from '@fairlead/apimachinery';

/** Whether the same request may succeed shortly after: the server is busy or unreachable, or its response was lost. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.retriable;
  if (!(error instanceof Error) || error.name === 'AbortError') return false;
  const retriable = at(error, 'retriable');
  // An unmarked error of another class, such as TypeError, is a programming error: it must not be retried.
  return retriable === undefined ? error.constructor === Error : retriable === true;
}

type Remedy = readonly [words: RegExp, remedy: string];

/**
 * The remedy for a rejection, by the message of the API server. Most forbidden requests (403) are not caused by missing permissions:
 * webhooks, policies, quotas and admission plugins also forbid. The first match counts.
 */
const remedies: readonly Remedy[] = [
  [
    /because it is being terminated/u,
    'wait until the namespace is deleted, and sync again; if it remains, check its finalizers',
  ],
  [
    /object is being deleted: |no new finalizers can be added if the object is being deleted/u,
    'the live object is being deleted: wait until it is deleted, and sync again; if it remains, check its finalizers',
  ],
  [
    /cannot set blockOwnerDeletion/u,
    'permit the controller to update the finalizers of the owner, or remove blockOwnerDeletion',
  ],
  [
    /is attempting to grant RBAC permissions not currently held/u,
    'a user cannot grant more permissions than it has: grant these permissions to the account of the controller, or the verbs escalate and bind',
  ],
  [/cannot \w+ (?:resource|path) "/u, 'give this account the right, by a Role or ClusterRole and its binding'],
  [/exceeded quota: |failed quota: /u, 'raise the ResourceQuota, or request less'],
  [
    /is forbidden: \[?(?:maximum|minimum) \w+ usage per /u,
    'change the LimitRange of the namespace, or request what it permits',
  ],
  [
    /violates PodSecurity "/u,
    'change the security context as described in the message, or the label pod-security.kubernetes.io/enforce of the namespace',
  ],
  [
    /admission webhook "[^"]*" denied the request/u,
    'an admission webhook of the cluster rejects this object: change the fields that it names, or its rules',
  ],
  [/failed calling webhook "/u, 'an admission webhook of the cluster does not respond: check its Service and pods'],
  [
    /ValidatingAdmissionPolicy '[^']*' with binding '[^']*' denied request/u,
    'a ValidatingAdmissionPolicy of the cluster rejects this object: change the fields that it names, or the policy',
  ],
  [/error looking up service account /u, 'create the ServiceAccount, in this Application or before it'],
  [/no PriorityClass with name /u, 'create the PriorityClass, in this Application or before it'],
  [
    /immutable|may not be changed|may not change|cannot be changed|cannot change|updates to .* (?:are|is) forbidden|updates to \w+ spec/iu,
    'this cannot be changed on a live object: set the sync option Force=true, or Replace=true with Force=true, and it is deleted and created again',
  ],
  [/namespaces? ".*" not found/u, 'create the namespace, or set the sync option CreateNamespace=true'],
  [
    /metadata\.annotations: Too long/u,
    'the object is too large for the last-applied annotation: set the sync option ServerSideApply=true',
  ],
  [/unknown field|field not declared in schema/u, 'correct the name of the field'],
];

/** The remedy for an error of the server; undefined if none is known. */
export const remedyFor = (message: string): string | undefined => remedies.find(([words]) => words.test(message))?.[1];

/** The error of the server, and the remedy. */
export function explainFailure(error: unknown): string {
  const message = messageOf(error);
  const remedy = error instanceof ApiError ? remedyFor(message) : undefined;
  return remedy ? `${message}: ${remedy}` : message;
}
