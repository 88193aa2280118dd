import type { KindRules } from '../../resource.ts';
import { apiServiceRules } from './access/api-service.ts';
import { clusterRoleBindingRules, roleBindingRules } from './access/bindings.ts';
import { certificateRequestRules } from './access/certificate-request.ts';
import { clusterRoleRules, roleRules } from './access/roles.ts';
import { autoscalerRules, autoscalerV1Rules } from './autoscaling/rules.ts';
import { configMapRules } from './core/config-map.ts';
import { endpointsRules } from './core/endpoints.ts';
import { limitRangeRules } from './core/limit-range.ts';
import { namespaceRules } from './core/namespace.ts';
import { nodeRules } from './core/node.ts';
import { resourceQuotaRules } from './core/resource-quota.ts';
import { secretRules } from './core/secret.ts';
import { serviceAccountRules } from './core/service-account.ts';
import { coreEventRules, eventsEventRules } from './events/rules.ts';
import { flowSchemaRules } from './flow/flow-schema.ts';
import { priorityLevelRules } from './flow/priority-level.ts';
import { coordinationRules } from './lease.ts';
import { ipAddressRules, serviceCidrRules } from './networking/address-objects.ts';
import { endpointSliceRules } from './networking/endpoint-slice.ts';
import { ingressRules } from './networking/ingress.ts';
import { ingressClassRules } from './networking/ingress-class.ts';
import { networkPolicyRules } from './networking/network-policy.ts';
import { disruptionBudgetRules } from './policy.ts';
import { overPresentFields } from './present-fields.ts';
import { priorityClassRules } from './priority-class.ts';
import { runtimeClassRules } from './runtime-class.ts';
import { defaultServiceOptions, type ServiceOptions, serviceRules } from './service/index.ts';
import { claimRules } from './storage/claim.ts';
import { csiDriverRules } from './storage/csi-driver.ts';
import { csiNodeRules } from './storage/csi-node.ts';
import { csiStorageCapacityRules } from './storage/csi-storage-capacity.ts';
import { storageClassRules } from './storage/storage-class.ts';
import { volumeRules } from './storage/volume.ts';
import { volumeAttachmentRules } from './storage/volume-attachment.ts';
import { volumeAttributesClassRules } from './storage/volume-attributes-class.ts';
import {
  mutatingPolicyBindingRules,
  mutatingPolicyRules,
  validatingPolicyBindingRules,
  validatingPolicyRules,
} from './webhooks/admission-policies.ts';
import { webhookRules } from './webhooks/rules.ts';

export type { ServiceOptions } from './service/index.ts';

/** Rules of every built-in kind except pods and workloads, by `apiVersion/Kind`. */
export const clusterRulesWith = (services: ServiceOptions): Record<string, KindRules> =>
  Object.fromEntries(Object.entries(kindRules(services)).map(([kind, rules]) => [kind, overPresentFields(rules)]));

const kindRules = (services: ServiceOptions): Record<string, KindRules> => ({
  'v1/Namespace': namespaceRules,
  'v1/Node': nodeRules,
  'v1/Service': serviceRules(services),
  'v1/Endpoints': endpointsRules,
  'v1/ConfigMap': configMapRules,
  'v1/Secret': secretRules,
  'v1/ServiceAccount': serviceAccountRules,
  'v1/PersistentVolume': volumeRules,
  'v1/PersistentVolumeClaim': claimRules,
  'v1/LimitRange': limitRangeRules,
  'v1/ResourceQuota': resourceQuotaRules,
  'v1/Event': coreEventRules,
  'events.k8s.io/v1/Event': eventsEventRules,
  'discovery.k8s.io/v1/EndpointSlice': endpointSliceRules,
  'networking.k8s.io/v1/Ingress': ingressRules,
  'networking.k8s.io/v1/IngressClass': ingressClassRules,
  'networking.k8s.io/v1/NetworkPolicy': networkPolicyRules,
  'networking.k8s.io/v1/IPAddress': ipAddressRules,
  'networking.k8s.io/v1/ServiceCIDR': serviceCidrRules,
  'policy/v1/PodDisruptionBudget': disruptionBudgetRules,
  'autoscaling/v1/HorizontalPodAutoscaler': autoscalerV1Rules,
  'autoscaling/v2/HorizontalPodAutoscaler': autoscalerRules,
  'rbac.authorization.k8s.io/v1/Role': roleRules,
  'rbac.authorization.k8s.io/v1/ClusterRole': clusterRoleRules,
  'rbac.authorization.k8s.io/v1/RoleBinding': roleBindingRules,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': clusterRoleBindingRules,
  ...coordinationRules,
  'scheduling.k8s.io/v1/PriorityClass': priorityClassRules,
  'node.k8s.io/v1/RuntimeClass': runtimeClassRules,
  'storage.k8s.io/v1/StorageClass': storageClassRules,
  'storage.k8s.io/v1/VolumeAttachment': volumeAttachmentRules,
  'storage.k8s.io/v1/VolumeAttributesClass': volumeAttributesClassRules,
  'storage.k8s.io/v1/CSIDriver': csiDriverRules,
  'storage.k8s.io/v1/CSINode': csiNodeRules,
  'storage.k8s.io/v1/CSIStorageCapacity': csiStorageCapacityRules,
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': webhookRules,
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': webhookRules,
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy': mutatingPolicyRules,
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding': mutatingPolicyBindingRules,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': validatingPolicyRules,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': validatingPolicyBindingRules,
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': flowSchemaRules,
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': priorityLevelRules,
  'certificates.k8s.io/v1/CertificateSigningRequest': certificateRequestRules,
  'apiregistration.k8s.io/v1/APIService': apiServiceRules,
});

export const clusterRules: Record<string, KindRules> = clusterRulesWith(defaultServiceOptions);
