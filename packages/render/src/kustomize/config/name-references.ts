import type { FieldSpec, NameBackReference } from './field-spec.ts';

/** The path of the pod spec in each kind that has one. */
const podSpecs: Readonly<Record<string, string>> = {
  Pod: 'spec',
  PodTemplate: 'template/spec',
  Deployment: 'spec/template/spec',
  ReplicaSet: 'spec/template/spec',
  DaemonSet: 'spec/template/spec',
  StatefulSet: 'spec/template/spec',
  Job: 'spec/template/spec',
  CronJob: 'spec/jobTemplate/spec/template/spec',
  ReplicationController: 'spec/template/spec',
};

const withPods = ['Pod', 'PodTemplate', 'Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet', 'Job', 'CronJob'];
const controllers = ['Pod', 'StatefulSet', 'Deployment', 'ReplicationController', 'CronJob', 'Job', 'DaemonSet'];

const inPods = (kinds: readonly string[], paths: readonly string[], podVersion?: string): FieldSpec[] =>
  kinds.flatMap((kind) =>
    paths.map((path) => ({
      kind,
      ...(kind === 'Pod' && podVersion ? { version: podVersion } : {}),
      path: `${podSpecs[kind]}/${path}`,
    })),
  );

const at = (kind: string, path: string, group?: string): FieldSpec => ({ kind, ...(group ? { group } : {}), path });

const configMapPaths = [
  'volumes/configMap/name',
  'containers/env/valueFrom/configMapKeyRef/name',
  'initContainers/env/valueFrom/configMapKeyRef/name',
  'containers/envFrom/configMapRef/name',
  'initContainers/envFrom/configMapRef/name',
  'volumes/projected/sources/configMap/name',
];
const secretPaths = [
  'volumes/secret/secretName',
  'containers/env/valueFrom/secretKeyRef/name',
  'initContainers/env/valueFrom/secretKeyRef/name',
  'containers/envFrom/secretRef/name',
  'initContainers/envFrom/secretRef/name',
  'imagePullSecrets/name',
  'volumes/projected/sources/secret/name',
];
const roles = [at('Role', 'rules/resourceNames'), at('ClusterRole', 'rules/resourceNames')];
const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';
const scaled = [at('HorizontalPodAutoscaler', 'spec/scaleTargetRef/name')];

/** By the referenced kind. */
export const nameReference: readonly NameBackReference[] = [
  ...['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map((kind) => ({ kind, fieldSpecs: scaled })),
  {
    kind: 'ConfigMap',
    version: 'v1',
    fieldSpecs: [
      ...inPods(withPods, configMapPaths, 'v1'),
      at('Node', 'spec/configSource/configMap'),
      ...roles,
      at('Ingress', 'metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap'),
    ],
  },
  {
    kind: 'Secret',
    version: 'v1',
    fieldSpecs: [
      ...inPods(withPods, secretPaths, 'v1'),
      at('Ingress', 'spec/tls/secretName'),
      at('Ingress', 'metadata/annotations/ingress.kubernetes.io\\/auth-secret'),
      at('Ingress', 'metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret'),
      at('Ingress', 'metadata/annotations/nginx.ingress.kubernetes.io\\/auth-tls-secret'),
      at('ServiceAccount', 'imagePullSecrets/name'),
      ...['secretName', 'adminSecretName', 'userSecretName', 'secretRef'].map((name) =>
        at('StorageClass', `parameters/${name}`),
      ),
      ...roles,
      {
        kind: 'Service',
        group: 'serving.knative.dev',
        version: 'v1',
        path: 'spec/template/spec/containers/env/valueFrom/secretKeyRef/name',
      },
      at('PersistentVolume', 'spec/azureFile/secretName'),
    ],
  },
  {
    kind: 'Service',
    version: 'v1',
    fieldSpecs: [
      at('StatefulSet', 'spec/serviceName', 'apps'),
      at('Ingress', 'spec/rules/http/paths/backend/serviceName'),
      at('Ingress', 'spec/backend/serviceName'),
      at('Ingress', 'spec/rules/http/paths/backend/service/name'),
      at('Ingress', 'spec/defaultBackend/service/name'),
      at('APIService', 'spec/service/name', 'apiregistration.k8s.io'),
      at('ValidatingWebhookConfiguration', 'webhooks/clientConfig/service', admission),
      at('MutatingWebhookConfiguration', 'webhooks/clientConfig/service', admission),
    ],
  },
  { kind: 'Role', group: rbac, fieldSpecs: [at('RoleBinding', 'roleRef/name', rbac)] },
  {
    kind: 'ClusterRole',
    group: rbac,
    fieldSpecs: [at('RoleBinding', 'roleRef/name', rbac), at('ClusterRoleBinding', 'roleRef/name', rbac)],
  },
  {
    kind: 'ServiceAccount',
    version: 'v1',
    fieldSpecs: [
      at('RoleBinding', 'subjects', rbac),
      at('ClusterRoleBinding', 'subjects', rbac),
      ...inPods(controllers, ['serviceAccountName']),
    ],
  },
  {
    kind: 'PersistentVolumeClaim',
    version: 'v1',
    fieldSpecs: inPods(controllers, ['volumes/persistentVolumeClaim/claimName']),
  },
  {
    kind: 'PersistentVolume',
    version: 'v1',
    fieldSpecs: [at('PersistentVolumeClaim', 'spec/volumeName'), at('ClusterRole', 'rules/resourceNames')],
  },
  {
    kind: 'StorageClass',
    version: 'v1',
    group: 'storage.k8s.io',
    fieldSpecs: [
      at('PersistentVolume', 'spec/storageClassName'),
      at('PersistentVolumeClaim', 'spec/storageClassName'),
      at('StatefulSet', 'spec/volumeClaimTemplates/spec/storageClassName'),
    ],
  },
  {
    kind: 'PriorityClass',
    version: 'v1',
    group: 'scheduling.k8s.io',
    fieldSpecs: inPods(controllers, ['priorityClassName']),
  },
  // The group is that of Kustomize. It matches no IngressClass, so these references are not updated.
  {
    kind: 'IngressClass',
    version: 'v1',
    group: 'networking.k8s.io/v1',
    fieldSpecs: [at('Ingress', 'spec/ingressClassName')],
  },
  {
    kind: 'ValidatingAdmissionPolicy',
    group: admission,
    fieldSpecs: [at('ValidatingAdmissionPolicyBinding', 'spec/policyName', admission)],
  },
];
