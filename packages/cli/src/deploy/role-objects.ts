import type { PolicyRule } from '@fairlead/apimachinery';
import { deployment } from './deployment.ts';
import { type Installation, labelsOf, nameOf, type Scope, selectorOf } from './installation.ts';
import type { RoleDeployment } from './role-table.ts';

const rbac = 'rbac.authorization.k8s.io/v1';

/** An object and the scopes in which it is installed; in all of them if absent. */
export interface ScopedObject {
  readonly object: object;
  readonly scope?: Scope;
  /** A value of the chart that must be true. */
  readonly when?:
    | 'networkPolicies'
    | 'monitoring.serviceMonitors'
    | 'monitoring.prometheusRules'
    | 'monitoring.dashboards';
}

/** Everything that one role consists of. */
export function roleObjects(role: RoleDeployment, installation: Installation): ScopedObject[] {
  const { name } = role;
  const { namespace } = installation;
  const metadata = { name: nameOf(name), namespace, labels: labelsOf(name) };
  return [
    { object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata } },
    ...permissions(role, installation),
    { object: service(role, metadata) },
    { object: deployment(role, installation) },
    {
      object: {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata,
        // A number of unavailable pods: with one replica, nodes can still be drained.
        spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(name) } },
      },
    },
    { object: networkPolicy(role, metadata), when: 'networkPolicies' },
    { object: serviceMonitor(role, metadata), when: 'monitoring.serviceMonitors' },
  ];
}

/**
 * With permissions in its own namespace only, a role has there what it has in all namespaces otherwise, except the permission for any kind.
 * Names of cluster-wide objects contain the namespace, so that two installations have different ones.
 */
function permissions({ name, permissions: { namespace: own, cluster } }: RoleDeployment, to: Installation) {
  const { namespace } = to;
  const labels = labelsOf(name);
  const metadata = { name: nameOf(name), namespace, labels };
  const clusterName = `${namespace}-${nameOf(name)}`;
  const subjects = [{ kind: 'ServiceAccount', name: nameOf(name), namespace }];
  const refer = (kind: string, to: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name: to });
  const limited = cluster.filter(({ resources = ['*'] }: PolicyRule) => !resources.includes('*'));
  const roleWith = (rules: readonly PolicyRule[]) => ({ apiVersion: rbac, kind: 'Role', metadata, rules });
  const result: ScopedObject[] = [
    { object: roleWith(own), scope: 'cluster' },
    { object: roleWith([...own, ...limited]), scope: 'namespace' },
    { object: { apiVersion: rbac, kind: 'RoleBinding', metadata, roleRef: refer('Role', nameOf(name)), subjects } },
    {
      scope: 'cluster',
      object: { apiVersion: rbac, kind: 'ClusterRole', metadata: { name: clusterName, labels }, rules: cluster },
    },
    {
      scope: 'cluster',
      object: {
        apiVersion: rbac,
        kind: 'ClusterRoleBinding',
        metadata: { name: clusterName, labels },
        roleRef: refer('ClusterRole', clusterName),
        subjects,
      },
    },
  ];
  return result;
}

const service = ({ name, ports }: RoleDeployment, metadata: object): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: {
    selector: selectorOf(name),
    ports: ports.map((port) => ({
      name: port.name,
      port: port.servicePort ?? port.port,
      targetPort: port.name,
      protocol: 'TCP',
    })),
  },
});

/** Connections from outside the namespace reach only the ports that are meant for others. Outgoing connections are not limited. */
const networkPolicy = ({ name, ports }: RoleDeployment, metadata: object): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata,
  spec: {
    podSelector: { matchLabels: selectorOf(name) },
    policyTypes: ['Ingress'],
    ingress: ports.map((port) => ({
      ...(port.from === 'monitoring' ? { from: [{ namespaceSelector: {} }] } : {}),
      ports: [{ port: port.name, protocol: 'TCP' }],
    })),
  },
});

const serviceMonitor = ({ name }: RoleDeployment, metadata: object): object => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata,
  spec: {
    selector: { matchLabels: selectorOf(name) },
    endpoints: [{ port: 'metrics', interval: '30s' }],
  },
});
