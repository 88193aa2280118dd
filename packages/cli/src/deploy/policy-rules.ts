import type { PolicyRule } from '@fairlead/apimachinery';

const read = ['get', 'list', 'watch'];

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [group],
  resources,
  verbs,
});

const argo = 'argoproj.io';
const service = 'managed-gitops.redhat.com';

const settings = rule('', ['configmaps'], read);
const events = rule('events.k8s.io', ['events'], ['create', 'patch']);
const project = rule(argo, ['appprojects'], read);

/** Each process reports its status in its own Lease; replicas with leader election share another. The names of the former are not known here. */
const leases = rule('coordination.k8s.io', ['leases'], ['get', 'list', 'create', 'update', 'delete']);

/** What a role may do in its own namespace, and in all namespaces. */
export interface RolePermissions {
  readonly namespace: readonly PolicyRule[];
  readonly cluster: readonly PolicyRule[];
}

const pullPermissions = [
  rule('kwarm.io', ['prepullpolicies'], read),
  rule('kwarm.io', ['prepullimages'], [...read, 'create', 'patch', 'delete']),
  rule('kwarm.io', ['prepullpolicies/status', 'prepullimages/status'], ['patch']),
  rule('batch', ['jobs'], [...read, 'create', 'delete']),
  rule('', ['pods', 'nodes'], read),
  // The observed images are recorded in an annotation.
  rule('apps', ['deployments', 'statefulsets', 'daemonsets'], [...read, 'patch']),
  rule('batch', ['cronjobs'], [...read, 'patch']),
  events,
];

/** The permissions of each role. An end-to-end test runs every role with exactly these. */
export const rolePermissions = {
  // It applies any object of any Application, so it may do anything; projects limit what an Application may contain.
  controller: {
    namespace: [
      leases,
      settings,
      rule('', ['secrets'], read),
      rule(argo, ['applications'], [...read, 'create', 'update', 'patch', 'delete']),
      rule(argo, ['applications/status'], ['patch', 'update']),
      rule(argo, ['appprojects', 'applicationsets'], [...read, 'update', 'patch']),
      rule('fairlead.dev', ['agents'], read),
      events,
    ],
    cluster: [rule('*', ['*'], ['*']), { nonResourceURLs: ['*'], verbs: ['get'] }],
  },
  applicationset: {
    namespace: [leases, settings, rule('', ['secrets'], read)],
    cluster: [
      rule(argo, ['applications'], [...read, 'create', 'update', 'patch', 'delete']),
      project,
      rule(argo, ['applicationsets'], [...read, 'update', 'patch']),
      rule(argo, ['applicationsets/status', 'applicationsets/finalizers'], ['get', 'update', 'patch']),
      events,
    ],
  },
  notifications: {
    namespace: [leases, settings, rule('', ['secrets'], read), project],
    cluster: [rule(argo, ['applications'], [...read, 'patch']), rule(argo, ['applicationsets'], read), events],
  },
  service: {
    namespace: [leases, settings, rule(argo, ['appprojects'], [...read, 'create', 'update', 'patch', 'delete'])],
    cluster: [
      rule(service, ['*'], [...read, 'create', 'update', 'patch', 'delete']),
      rule(argo, ['applications'], [...read, 'create', 'update', 'patch', 'delete']),
      rule('', ['secrets'], [...read, 'create', 'update', 'patch', 'delete']),
      rule('', ['namespaces'], read),
      rule('', ['serviceaccounts'], [...read, 'create']),
      rule('', ['serviceaccounts/token'], ['create']),
      events,
    ],
  },
  principal: {
    namespace: [
      leases,
      settings,
      rule('', ['configmaps'], ['create', 'update', 'patch', 'delete']),
      rule('fairlead.dev', ['agents'], [...read, 'create', 'update', 'patch']),
      rule('fairlead.dev', ['agents/status'], ['get', 'update', 'patch']),
    ],
    cluster: [
      rule(argo, ['applications', 'appprojects'], [...read, 'create', 'update', 'patch', 'delete']),
      rule('', ['secrets'], [...read, 'create', 'update', 'patch', 'delete']),
      rule('', ['namespaces'], [...read, 'create']),
      events,
    ],
  },
  images: {
    namespace: [leases, settings, rule('', ['secrets'], read), project],
    cluster: [
      rule(argo, ['applications'], [...read, 'update', 'patch']),
      rule('argocd-image-updater.argoproj.io', ['imageupdaters'], read),
      rule('argocd-image-updater.argoproj.io', ['imageupdaters/status'], ['patch']),
      rule('', ['secrets'], ['get']),
      rule('kwarm.io', ['prepullimages'], [...read, 'create']),
      events,
    ],
  },
  prepull: { namespace: [leases], cluster: pullPermissions },
  server: {
    namespace: [
      leases,
      rule('coordination.k8s.io', ['leases'], ['watch']),
      rule('', ['configmaps', 'secrets'], [...read, 'create', 'update', 'patch', 'delete']),
      rule(argo, ['appprojects'], [...read, 'create', 'update', 'patch', 'delete']),
    ],
    cluster: [
      rule(argo, ['applications', 'applicationsets'], [...read, 'create', 'update', 'patch', 'delete']),
      // Live objects of Applications: shown, and changed by actions of users whom the policy permits them.
      rule('*', ['*'], [...read, 'patch', 'delete']),
      rule('batch', ['jobs', 'cronjobs'], ['create']),
      rule('', ['pods/log'], ['get']),
      // Terminals, if `exec.enabled` is set and the policy permits them.
      rule('', ['pods/exec'], ['create']),
      { nonResourceURLs: ['/version', '/version/*'], verbs: ['get'] },
      events,
    ],
  },
} as const satisfies Record<string, RolePermissions>;

export type DeployedRole = keyof typeof rolePermissions;
