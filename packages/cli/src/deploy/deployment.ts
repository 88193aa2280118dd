import { type Installation, labelsOf, nameOf, selectorOf } from './installation.ts';
import type { RoleDeployment } from './role-table.ts';

const user = 65_532;

/** The Deployment of a role: restricted by Pod Security, with a read-only root file system, probes and spread over nodes. */
export function deployment(role: RoleDeployment, installation: Installation): object {
  const { name, summary, ports, probes } = role;
  const { namespace, image, pullPolicy } = installation;
  const probe = (path: string) => ({ httpGet: { path, port: probes }, timeoutSeconds: 5 });
  const container = {
    name,
    image,
    imagePullPolicy: pullPolicy,
    args: role.args,
    env: environmentOf(role, installation),
    ports: ports.map((port) => ({ name: port.name, containerPort: port.port, protocol: 'TCP' })),
    startupProbe: { ...probe('/livez'), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...probe('/livez'), periodSeconds: 20, failureThreshold: 3 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 10, failureThreshold: 3 },
    resources: installation.resources(role),
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: nameOf(name),
      namespace,
      labels: labelsOf(name),
      annotations: { 'fairlead.dev/description': summary },
    },
    spec: {
      replicas: installation.replicas(role),
      selector: { matchLabels: selectorOf(name) },
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          serviceAccountName: nameOf(name),
          terminationGracePeriodSeconds: 30,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: user,
            runAsGroup: user,
            fsGroup: user,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [container],
          volumes: [
            { name: 'data', emptyDir: {} },
            { name: 'tmp', emptyDir: {} },
          ],
          topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
            maxSkew: 1,
            topologyKey,
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: selectorOf(name) },
          })),
          ...installation.podFields,
        },
      },
    },
  };
}

function environmentOf({ secrets = [] }: RoleDeployment, { logLevel }: Installation): object[] {
  return [
    { name: 'FAIRLEAD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'FAIRLEAD_LOG', value: logLevel },
    ...secrets.map(({ variable, secret, key }) => ({
      name: variable,
      valueFrom: { secretKeyRef: { name: secret, key, optional: true } },
    })),
  ];
}
