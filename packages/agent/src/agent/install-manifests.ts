import type { KubeObject } from '@fairlead/apimachinery';
import { gpgKeysName } from '../core/kinds.ts';
import { ledgerName } from '../link/endpoints/operation-ledger.ts';
import { identitySecret } from './identity.ts';
import { type LiveLevel, readOnly } from './live-policy.ts';

export interface AgentInstallation {
  /** The token with which the cluster joins once. */
  readonly token: string;
  readonly namespace: string;
  /** An image with this version of `fairlead`. */
  readonly image: string;
  /** What live access through the agent permits. */
  readonly live: LiveLevel;
  /** Patterns of other namespaces in which it may have Applications. */
  readonly applicationNamespaces?: readonly string[];
}

const name = 'fairlead-agent';
const joinSecret = 'fairlead-agent-join';
const outboxDir = '/var/lib/fairlead/outbox';
const rbac = 'rbac.authorization.k8s.io/v1';
const everything = ['get', 'list', 'watch', 'create', 'update', 'delete'];

/** The manifests of an agent: its namespace, the permissions that it needs, the join token, and the Deployment. */
export function agentManifests(options: AgentInstallation): KubeObject[] {
  const { namespace, token, live, applicationNamespaces = [] } = options;
  const metadata = { name, namespace, labels: { 'app.kubernetes.io/name': name } };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: rbac, kind: 'Role', metadata, rules: rulesInNamespace },
    { apiVersion: rbac, kind: 'RoleBinding', metadata, ...bound('Role', name, namespace) },
    ...applicationNamespaces.filter((place) => !isPattern(place)).flatMap((place) => placeManifests(place, namespace)),
    { apiVersion: rbac, kind: 'ClusterRole', metadata: { name }, rules: rulesOfCluster(applicationNamespaces) },
    { apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: { name }, ...bound('ClusterRole', name, namespace) },
    ...liveRoles[live].map((role) => ({
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: `${name}-${role}` },
      ...bound('ClusterRole', role, namespace),
    })),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...metadata, name: joinSecret },
      type: 'Opaque',
      data: { token: Buffer.from(token).toString('base64') },
    },
    deployment(options, metadata),
  ] as KubeObject[];
}

/** The roles of Kubernetes that live access needs. `edit` includes `pods/exec`. */
const liveRoles: Readonly<Record<LiveLevel, readonly string[]>> = {
  none: [],
  read: ['view'],
  write: ['edit'],
  exec: ['edit'],
};

const rulesInNamespace = [
  { apiGroups: ['argoproj.io'], resources: ['applications', 'appprojects'], verbs: everything },
  // Repositories of the hub, and the agent's identity.
  { apiGroups: [''], resources: ['secrets'], verbs: everything },
  { apiGroups: [''], resources: ['secrets'], resourceNames: [identitySecret], verbs: ['patch'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
  { apiGroups: [''], resources: ['configmaps'], resourceNames: [ledgerName], verbs: ['get', 'update'] },
  { apiGroups: [''], resources: ['configmaps'], resourceNames: [gpgKeysName], verbs: everything },
  // Each process reports its status in its own Lease.
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'list', 'create', 'update', 'delete'] },
];

const isPattern = (namespace: string): boolean => /[*?/]/u.test(namespace);

/** Another namespace, and the permission to write Applications in it. */
function placeManifests(place: string, namespace: string): object[] {
  const metadata = { name, namespace: place };
  const rules = [{ apiGroups: ['argoproj.io'], resources: ['applications'], verbs: everything }];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: place } },
    { apiVersion: rbac, kind: 'Role', metadata, rules },
    { apiVersion: rbac, kind: 'RoleBinding', metadata, ...bound('Role', name, namespace) },
  ];
}

/**
 * The uid of kube-system identifies the cluster. With other namespaces, Applications of all namespaces are watched; and since roles have
 * no patterns, a pattern requires the permission to write Applications everywhere.
 */
function rulesOfCluster(others: readonly string[]): object[] {
  const identity = { apiGroups: [''], resources: ['namespaces'], resourceNames: ['kube-system'], verbs: ['get'] };
  const applications = { apiGroups: ['argoproj.io'], resources: ['applications'] };
  if (others.some(isPattern))
    return [
      identity,
      { ...applications, verbs: everything },
      { apiGroups: [''], resources: ['namespaces'], verbs: ['create'] },
    ];
  return others.length > 0 ? [identity, { ...applications, verbs: ['get', 'list', 'watch'] }] : [identity];
}

const bound = (kind: string, role: string, namespace: string) => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
  subjects: [{ kind: 'ServiceAccount', name, namespace }],
});

/** One replica: a second stream of an agent replaces the first. */
function deployment(
  { namespace, image, live, applicationNamespaces = [] }: AgentInstallation,
  metadata: KubeObject['metadata'],
): KubeObject {
  const labels = { 'app.kubernetes.io/name': name };
  const container = {
    name: 'agent',
    image,
    command: ['fairlead'],
    args: [
      'agent',
      'run',
      '--namespace',
      namespace,
      '--join-token-file',
      '/etc/fairlead/join/token',
      '--outbox-dir',
      outboxDir,
      ...(live === readOnly.level ? [] : ['--live-access', live]),
      ...(applicationNamespaces.length > 0 ? ['--application-namespaces', applicationNamespaces.join(',')] : []),
    ],
    resources: { requests: { cpu: '50m', memory: '128Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'join', mountPath: '/etc/fairlead/join', readOnly: true },
      { name: 'outbox', mountPath: outboxDir },
    ],
  };
  const spec = {
    replicas: 1,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: name,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65_532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [container],
        // The token can be removed after the agent has joined.
        volumes: [
          { name: 'join', secret: { secretName: joinSecret, optional: true } },
          // It must outlive the container, but not the pod.
          { name: 'outbox', emptyDir: {} },
        ],
      },
    },
  };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as KubeObject;
}
