import { autoscalerConversion } from '../catalogue/autoscaler-conversion.ts';
import { eventConversion } from '../catalogue/event-conversion.ts';
import type { Draft, TableRules } from '../resource.ts';
import * as access from './access.ts';
import * as admission from './admission.ts';
import { autoscalers } from './autoscalers.ts';
import * as cluster from './cluster.ts';
import * as devices from './devices.ts';
import * as network from './network.ts';
import { pods, podTemplates } from './pods.ts';
import * as storage from './storage.ts';
import * as workloads from './workloads.ts';

/** Every version of a kind has the columns of its stored form. */
const asStored = (table: TableRules, { toStorage }: { toStorage(draft: Draft): Draft }): TableRules => ({
  ...table,
  cells: (object, now) => table.cells(toStorage(object as unknown as Draft), now),
});

/** Columns of built-in kinds, by `apiVersion/Kind`. Other kinds have their name and creation time. */
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
  'autoscaling/v1/HorizontalPodAutoscaler': asStored(autoscalers, autoscalerConversion),
  'autoscaling/v2/HorizontalPodAutoscaler': autoscalers,
  'v1/Service': network.services,
  'v1/Endpoints': network.endpoints,
  'discovery.k8s.io/v1/EndpointSlice': network.endpointSlices,
  'networking.k8s.io/v1/Ingress': network.ingresses,
  'networking.k8s.io/v1/IngressClass': network.ingressClasses,
  'networking.k8s.io/v1/NetworkPolicy': network.networkPolicies,
  'networking.k8s.io/v1/ServiceCIDR': network.serviceCidrs,
  'networking.k8s.io/v1/IPAddress': network.ipAddresses,
  'v1/Namespace': cluster.namespaces,
  'v1/Node': cluster.nodes,
  'v1/ConfigMap': cluster.configMaps,
  'v1/Secret': cluster.secrets,
  'v1/ServiceAccount': cluster.nameAndAge,
  'v1/ComponentStatus': cluster.componentStatuses,
  'v1/Event': cluster.events,
  'events.k8s.io/v1/Event': asStored(cluster.events, eventConversion),
  'v1/ResourceQuota': cluster.resourceQuotas,
  'coordination.k8s.io/v1/Lease': cluster.leases,
  'scheduling.k8s.io/v1/PriorityClass': cluster.priorityClasses,
  'node.k8s.io/v1/RuntimeClass': cluster.runtimeClasses,
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': admission.webhooks,
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': admission.webhooks,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': admission.validatingPolicies,
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy': admission.mutatingPolicies,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': admission.policyBindings,
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding': admission.policyBindings,
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': cluster.flowSchemas,
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': cluster.priorityLevels,
  'apiregistration.k8s.io/v1/APIService': access.apiServices,
  'certificates.k8s.io/v1/CertificateSigningRequest': access.certificateRequests,
  'resource.k8s.io/v1/DeviceClass': cluster.nameAndAge,
  'resource.k8s.io/v1/ResourceClaim': devices.resourceClaims,
  'resource.k8s.io/v1/ResourceClaimTemplate': cluster.nameAndAge,
  'resource.k8s.io/v1/ResourceSlice': devices.resourceSlices,
  'rbac.authorization.k8s.io/v1/RoleBinding': access.bindings,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': access.bindings,
  'v1/PersistentVolume': storage.volumes,
  'v1/PersistentVolumeClaim': storage.claims,
  'storage.k8s.io/v1/StorageClass': storage.storageClasses,
  'storage.k8s.io/v1/VolumeAttachment': storage.volumeAttachments,
  'storage.k8s.io/v1/CSINode': storage.csiNodes,
  'storage.k8s.io/v1/CSIDriver': storage.csiDrivers,
  'storage.k8s.io/v1/VolumeAttributesClass': storage.volumeAttributesClasses,
};
