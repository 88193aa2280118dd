import type { TableRules } from '../resource.ts';
import { autoscalers } from './autoscalers.ts';
import * as cluster from './cluster.ts';
import * as network from './network.ts';
import { pods, podTemplates } from './pods.ts';
import * as storage from './storage.ts';
import * as workloads from './workloads.ts';

/** Columns of built-in kinds, by `apiVersion/Kind`. Kinds that are not here show their name and when they were made. */
export const tables: Readonly<Record<string, TableRules>> = {
  'v1/Pod': pods,
  'v1/PodTemplate': podTemplates,
  'v1/ReplicationController': workloads.replicationControllers,
  'apps/v1/Deployment': workloads.deployments,
  'apps/v1/ReplicaSet': workloads.replicaSets,
  'apps/v1/StatefulSet': workloads.statefulSets,
  'apps/v1/DaemonSet': workloads.daemonSets,
  'apps/v1/ControllerRevision': workloads.controllerRevisions,
  'batch/v1/Job': workloads.jobs,
  'batch/v1/CronJob': workloads.cronJobs,
  'policy/v1/PodDisruptionBudget': workloads.disruptionBudgets,
  'autoscaling/v1/HorizontalPodAutoscaler': autoscalers,
  'autoscaling/v2/HorizontalPodAutoscaler': autoscalers,
  'v1/Service': network.services,
  'v1/Endpoints': network.endpoints,
  'discovery.k8s.io/v1/EndpointSlice': network.endpointSlices,
  'networking.k8s.io/v1/Ingress': network.ingresses,
  'networking.k8s.io/v1/IngressClass': network.ingressClasses,
  'networking.k8s.io/v1/NetworkPolicy': network.networkPolicies,
  'v1/Namespace': cluster.namespaces,
  'v1/Node': cluster.nodes,
  'v1/ConfigMap': cluster.configMaps,
  'v1/Secret': cluster.secrets,
  'v1/ServiceAccount': cluster.nameAndAge,
  'v1/Event': cluster.events,
  'v1/ResourceQuota': cluster.resourceQuotas,
  'coordination.k8s.io/v1/Lease': cluster.leases,
  'scheduling.k8s.io/v1/PriorityClass': cluster.priorityClasses,
  'node.k8s.io/v1/RuntimeClass': cluster.runtimeClasses,
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': cluster.webhooks,
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': cluster.webhooks,
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': cluster.flowSchemas,
  'rbac.authorization.k8s.io/v1/RoleBinding': cluster.bindings,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': cluster.bindings,
  'v1/PersistentVolume': storage.volumes,
  'v1/PersistentVolumeClaim': storage.claims,
  'storage.k8s.io/v1/StorageClass': storage.storageClasses,
  'storage.k8s.io/v1/VolumeAttachment': storage.volumeAttachments,
  'storage.k8s.io/v1/CSINode': storage.csiNodes,
};
