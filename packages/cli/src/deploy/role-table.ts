import { type DeployedRole, type RolePermissions, rolePermissions } from './policy-rules.ts';

interface Port {
  readonly name: string;
  readonly port: number;
  /** Who may connect: only Prometheus and the kubelet, or anyone. */
  readonly from: 'monitoring' | 'anyone';
  /** The port of the Service, if it is another. */
  readonly servicePort?: number;
}

/** How a role runs as a Deployment. The manifests, the chart and `fairlead install` read this table. */
export interface RoleDeployment {
  readonly name: DeployedRole;
  /** What it does, for the annotations of the Deployment and the comments of the values. */
  readonly summary: string;
  readonly args: readonly string[];
  readonly ports: readonly Port[];
  /** The port of `/livez` and `/readyz`. */
  readonly probes: string;
  readonly replicas: { readonly single: number; readonly ha: number };
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly memoryLimit: string;
  /** Whether it works with permissions in its own namespace only. */
  readonly namespaced: boolean;
  /** Environment variables from optional Secrets: name of the variable, Secret, key. */
  readonly secrets?: readonly { readonly variable: string; readonly secret: string; readonly key: string }[];
  readonly permissions: RolePermissions;
}

const metrics: Port = { name: 'metrics', port: 8082, from: 'monitoring' };
const listen = ['--host', '0.0.0.0', '--metrics-port', String(metrics.port)];
const cache = ['--cache-dir', '/data/cache'];

const role = (name: DeployedRole, rest: Omit<RoleDeployment, 'name' | 'permissions'>): RoleDeployment => ({
  name,
  ...rest,
  permissions: rolePermissions[name],
});

/** The roles of a hub cluster; `fairlead agent install` writes the manifests of an agent on another cluster. */
export const deployedRoles: readonly RoleDeployment[] = [
  role('controller', {
    summary: 'reconciles Applications and receives webhooks',
    args: ['controller', ...listen, '--webhook-port', '8084', ...cache],
    ports: [metrics, { name: 'webhooks', port: 8084, from: 'anyone' }],
    probes: 'metrics',
    replicas: { single: 1, ha: 2 },
    requests: { cpu: '250m', memory: '512Mi' },
    memoryLimit: '4Gi',
    namespaced: true,
  }),
  role('applicationset', {
    summary: 'reconciles ApplicationSets',
    args: ['applicationset', ...listen, '--webhook-port', '8084', ...cache],
    ports: [metrics, { name: 'webhooks', port: 8084, from: 'anyone' }],
    probes: 'metrics',
    replicas: { single: 1, ha: 2 },
    requests: { cpu: '50m', memory: '192Mi' },
    memoryLimit: '1Gi',
    namespaced: false,
  }),
  role('notifications', {
    summary: 'sends notifications',
    args: ['notifications', ...listen, ...cache],
    ports: [metrics],
    probes: 'metrics',
    replicas: { single: 1, ha: 2 },
    requests: { cpu: '50m', memory: '192Mi' },
    memoryLimit: '1Gi',
    namespaced: false,
  }),
  role('images', {
    summary: 'updates images of Applications',
    args: ['image', 'run', '--data-dir', '/data', '--status-port', String(metrics.port)],
    ports: [metrics],
    probes: 'metrics',
    replicas: { single: 1, ha: 2 },
    requests: { cpu: '50m', memory: '192Mi' },
    memoryLimit: '1Gi',
    namespaced: false,
  }),
  role('prepull', {
    summary: 'pulls images on nodes before a rollout needs them',
    args: ['prepull', 'controller', ...listen, '--lease-namespace', '$(FAIRLEAD_NAMESPACE)'],
    ports: [metrics],
    probes: 'metrics',
    replicas: { single: 1, ha: 2 },
    requests: { cpu: '50m', memory: '128Mi' },
    memoryLimit: '512Mi',
    namespaced: false,
  }),
  role('server', {
    summary: 'serves the API and the web application',
    args: ['server', ...listen, '--port', '8080', ...cache],
    ports: [{ name: 'https', port: 8080, servicePort: 443, from: 'anyone' }, metrics],
    probes: 'metrics',
    replicas: { single: 1, ha: 3 },
    requests: { cpu: '100m', memory: '256Mi' },
    memoryLimit: '2Gi',
    namespaced: true,
  }),
  role('principal', {
    summary: 'serves agents of other clusters; off until it has replicas',
    args: [
      'principal',
      ...['--name', 'fairlead-principal.$(FAIRLEAD_NAMESPACE).svc'],
      ...['--status-host', '0.0.0.0', '--status-port', String(metrics.port)],
    ],
    ports: [{ name: 'agents', port: 8443, from: 'anyone' }, metrics],
    probes: 'metrics',
    replicas: { single: 0, ha: 0 },
    requests: { cpu: '100m', memory: '256Mi' },
    memoryLimit: '1Gi',
    namespaced: false,
  }),
  role('service', {
    summary: 'turns GitOpsDeployments of tenants into Applications; off until it has replicas and a database',
    args: ['service', ...listen, ...cache],
    ports: [metrics],
    probes: 'metrics',
    replicas: { single: 0, ha: 0 },
    requests: { cpu: '100m', memory: '256Mi' },
    memoryLimit: '1Gi',
    namespaced: false,
    secrets: [
      { variable: 'DATABASE_URL', secret: 'fairlead-database', key: 'url' },
      { variable: 'FAIRLEAD_KEY', secret: 'fairlead-database', key: 'encryption-key' },
    ],
  }),
];
