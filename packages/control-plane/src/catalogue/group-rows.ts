import { coreRows } from './core-rows.ts';
import { type GroupRows, readAndChange } from './row.ts';

const all = ['all'];
const extensions = ['api-extensions'];
const autoscalers = { name: 'autoscaling/horizontalpodautoscalers', group: 'autoscaling', version: 'v2' };

/**
 * The built-in groups in the order of discovery, the preferred version of a group first. (On a real server the priorities of the
 * aggregation layer determine this order; apiregistration.k8s.io is first.)
 */
export const groupRows: readonly GroupRows[] = [
  coreRows,
  {
    group: 'apiregistration.k8s.io',
    version: 'v1',
    rows: [
      {
        plural: 'apiservices',
        kind: 'APIService',
        categories: extensions,
        scope: 'Cluster',
        status: true,
        conditional: true,
      },
    ],
  },
  {
    group: 'apps',
    version: 'v1',
    rows: [
      { plural: 'controllerrevisions', kind: 'ControllerRevision' },
      { plural: 'daemonsets', kind: 'DaemonSet', short: ['ds'], categories: all, status: true, generation: true },
      {
        plural: 'deployments',
        kind: 'Deployment',
        short: ['deploy'],
        categories: all,
        status: true,
        scale: true,
        generation: true,
      },
      {
        plural: 'replicasets',
        kind: 'ReplicaSet',
        short: ['rs'],
        categories: all,
        status: true,
        scale: true,
        generation: true,
      },
      {
        plural: 'statefulsets',
        kind: 'StatefulSet',
        short: ['sts'],
        categories: all,
        status: true,
        scale: true,
        generation: true,
      },
    ],
  },
  {
    group: 'events.k8s.io',
    version: 'v1',
    rows: [
      {
        plural: 'events',
        kind: 'Event',
        short: ['ev'],
        createOnUpdate: true,
        storage: { name: 'core/events', group: '', version: 'v1' },
      },
    ],
  },
  { group: 'authentication.k8s.io', version: 'v1', rows: [] },
  { group: 'authorization.k8s.io', version: 'v1', rows: [] },
  {
    group: 'autoscaling',
    version: 'v2',
    rows: [
      {
        plural: 'horizontalpodautoscalers',
        kind: 'HorizontalPodAutoscaler',
        short: ['hpa'],
        categories: all,
        status: true,
        storage: autoscalers,
      },
    ],
  },
  {
    group: 'autoscaling',
    version: 'v1',
    rows: [
      {
        plural: 'horizontalpodautoscalers',
        kind: 'HorizontalPodAutoscaler',
        short: ['hpa'],
        categories: all,
        status: true,
        storage: autoscalers,
      },
    ],
  },
  {
    group: 'batch',
    version: 'v1',
    rows: [
      { plural: 'cronjobs', kind: 'CronJob', short: ['cj'], categories: all, status: true, generation: true },
      { plural: 'jobs', kind: 'Job', categories: all, status: true, generation: true },
    ],
  },
  {
    group: 'certificates.k8s.io',
    version: 'v1',
    rows: [
      {
        plural: 'certificatesigningrequests',
        kind: 'CertificateSigningRequest',
        short: ['csr'],
        scope: 'Cluster',
        status: true,
        more: [{ name: 'approval', kind: 'CertificateSigningRequest', verbs: readAndChange }],
      },
    ],
  },
  {
    group: 'networking.k8s.io',
    version: 'v1',
    rows: [
      { plural: 'ingressclasses', kind: 'IngressClass', scope: 'Cluster', generation: true },
      { plural: 'ingresses', kind: 'Ingress', short: ['ing'], status: true, generation: true },
      { plural: 'ipaddresses', kind: 'IPAddress', short: ['ip'], scope: 'Cluster' },
      { plural: 'networkpolicies', kind: 'NetworkPolicy', short: ['netpol'], generation: true },
      { plural: 'servicecidrs', kind: 'ServiceCIDR', scope: 'Cluster', status: true },
    ],
  },
  {
    group: 'policy',
    version: 'v1',
    rows: [
      {
        plural: 'poddisruptionbudgets',
        kind: 'PodDisruptionBudget',
        short: ['pdb'],
        status: true,
        generation: true,
        conditional: true,
      },
    ],
  },
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    rows: [
      { plural: 'clusterrolebindings', kind: 'ClusterRoleBinding', scope: 'Cluster', createOnUpdate: true },
      { plural: 'clusterroles', kind: 'ClusterRole', scope: 'Cluster', createOnUpdate: true },
      { plural: 'rolebindings', kind: 'RoleBinding', createOnUpdate: true },
      { plural: 'roles', kind: 'Role', createOnUpdate: true },
    ],
  },
  {
    group: 'storage.k8s.io',
    version: 'v1',
    rows: [
      { plural: 'csidrivers', kind: 'CSIDriver', scope: 'Cluster', generation: true, conditional: true },
      { plural: 'csinodes', kind: 'CSINode', scope: 'Cluster', conditional: true },
      { plural: 'csistoragecapacities', kind: 'CSIStorageCapacity', conditional: true },
      { plural: 'storageclasses', kind: 'StorageClass', short: ['sc'], scope: 'Cluster' },
      { plural: 'volumeattachments', kind: 'VolumeAttachment', scope: 'Cluster', status: true, conditional: true },
      { plural: 'volumeattributesclasses', kind: 'VolumeAttributesClass', short: ['vac'], scope: 'Cluster' },
    ],
  },
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    rows: [
      ...(
        [
          ['mutatingadmissionpolicies', 'MutatingAdmissionPolicy'],
          ['mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding'],
          ['mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
          ['validatingadmissionpolicies', 'ValidatingAdmissionPolicy'],
          ['validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding'],
          ['validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'],
        ] as const
      ).map(([plural, kind]) => ({
        plural,
        kind,
        categories: extensions,
        scope: 'Cluster' as const,
        generation: true as const,
        conditional: true as const,
        ...(kind === 'ValidatingAdmissionPolicy' ? { status: true as const } : {}),
      })),
    ],
  },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    rows: [
      {
        plural: 'customresourcedefinitions',
        kind: 'CustomResourceDefinition',
        short: ['crd', 'crds'],
        categories: extensions,
        scope: 'Cluster',
        status: true,
        generation: true,
        conditional: true,
      },
    ],
  },
  {
    group: 'scheduling.k8s.io',
    version: 'v1',
    rows: [{ plural: 'priorityclasses', kind: 'PriorityClass', short: ['pc'], scope: 'Cluster', generation: true }],
  },
  {
    group: 'coordination.k8s.io',
    version: 'v1',
    rows: [{ plural: 'leases', kind: 'Lease', createOnUpdate: true, conditional: true }],
  },
  {
    group: 'node.k8s.io',
    version: 'v1',
    rows: [
      { plural: 'runtimeclasses', kind: 'RuntimeClass', scope: 'Cluster', createOnUpdate: true, conditional: true },
    ],
  },
  {
    group: 'discovery.k8s.io',
    version: 'v1',
    rows: [{ plural: 'endpointslices', kind: 'EndpointSlice', generation: true }],
  },
  {
    group: 'flowcontrol.apiserver.k8s.io',
    version: 'v1',
    rows: [
      { plural: 'flowschemas', kind: 'FlowSchema', scope: 'Cluster', status: true, generation: true },
      {
        plural: 'prioritylevelconfigurations',
        kind: 'PriorityLevelConfiguration',
        scope: 'Cluster',
        status: true,
        generation: true,
      },
    ],
  },
  {
    group: 'resource.k8s.io',
    version: 'v1',
    rows: [
      { plural: 'deviceclasses', kind: 'DeviceClass', scope: 'Cluster', generation: true },
      { plural: 'resourceclaims', kind: 'ResourceClaim', status: true },
      { plural: 'resourceclaimtemplates', kind: 'ResourceClaimTemplate' },
      { plural: 'resourceslices', kind: 'ResourceSlice', scope: 'Cluster', generation: true },
    ],
  },
];
