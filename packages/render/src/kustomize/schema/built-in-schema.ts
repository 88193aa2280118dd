import { must } from '@fairlead/apimachinery/primitives';
import type { MergeSchema, SchemaLookup } from './merge-schema.ts';

/**
 * The lists that merge in the types of Kubernetes 1.21, the version that is built into Kustomize. Each line is a type and its fields:
 * `field:Type` is an object, `field*key,key` a list that merges by keys, `field*` a list of plain values that merges, `field*key:Type`
 * a merging list whose elements are of a type, `field[]:Type` a list that is replaced as a whole.
 */
const types = `
ObjectMeta finalizers* ownerReferences*uid
Plain metadata:ObjectMeta
Conditions conditions*type
WithStatus metadata:ObjectMeta status:Conditions
Webhooks metadata:ObjectMeta webhooks*name
Container env*name ports*containerPort,protocol volumeDevices*devicePath volumeMounts*mountPath
EphemeralContainer env*name volumeDevices*devicePath volumeMounts*mountPath
Volume ephemeral:EphemeralVolumeSource
EphemeralVolumeSource volumeClaimTemplate:Plain
PodSpec containers*name:Container ephemeralContainers*name:EphemeralContainer hostAliases*ip imagePullSecrets*name initContainers*name:Container topologySpreadConstraints*topologyKey,whenUnsatisfiable volumes*name:Volume
PodStatus conditions*type podIPs*ip
Pod metadata:ObjectMeta spec:PodSpec status:PodStatus
PodTemplateSpec metadata:ObjectMeta spec:PodSpec
PodTemplate metadata:ObjectMeta template:PodTemplateSpec
WorkloadSpec template:PodTemplateSpec
Workload metadata:ObjectMeta spec:WorkloadSpec status:Conditions
StatefulSetSpec template:PodTemplateSpec volumeClaimTemplates[]:WithStatus
StatefulSet metadata:ObjectMeta spec:StatefulSetSpec status:Conditions
JobTemplateSpec metadata:ObjectMeta spec:WorkloadSpec
CronJobSpec jobTemplate:JobTemplateSpec
CronJob metadata:ObjectMeta spec:CronJobSpec
ComponentStatus metadata:ObjectMeta conditions*type
NodeSpec podCIDRs*
NodeStatus addresses*type conditions*type
Node metadata:ObjectMeta spec:NodeSpec status:NodeStatus
ServiceSpec ports*port,protocol
Service metadata:ObjectMeta spec:ServiceSpec status:Conditions
ServiceAccount metadata:ObjectMeta secrets*name
CSINodeSpec drivers*name
CSINode metadata:ObjectMeta spec:CSINodeSpec
`;

/** The kinds of each group version, with their type if it is not `Plain`. */
const kinds = `
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration:Webhooks ValidatingWebhookConfiguration:Webhooks
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration:Webhooks ValidatingWebhookConfiguration:Webhooks
apiextensions.k8s.io/v1 CustomResourceDefinition
apiextensions.k8s.io/v1beta1 CustomResourceDefinition
apiregistration.k8s.io/v1 APIService:WithStatus
apiregistration.k8s.io/v1beta1 APIService:WithStatus
apps/v1 ControllerRevision DaemonSet:Workload Deployment:Workload ReplicaSet:Workload StatefulSet:StatefulSet
authentication.k8s.io/v1 TokenRequest TokenReview
authentication.k8s.io/v1beta1 TokenReview
authorization.k8s.io/v1 LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
authorization.k8s.io/v1beta1 LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
autoscaling/v1 HorizontalPodAutoscaler Scale
autoscaling/v2beta1 HorizontalPodAutoscaler
autoscaling/v2beta2 HorizontalPodAutoscaler
batch/v1 CronJob:CronJob Job:Workload
batch/v1beta1 CronJob:CronJob
certificates.k8s.io/v1 CertificateSigningRequest
certificates.k8s.io/v1beta1 CertificateSigningRequest
coordination.k8s.io/v1 Lease
coordination.k8s.io/v1beta1 Lease
discovery.k8s.io/v1 EndpointSlice
discovery.k8s.io/v1beta1 EndpointSlice
events.k8s.io/v1 Event
events.k8s.io/v1beta1 Event
extensions/v1beta1 Ingress
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema PriorityLevelConfiguration
networking.k8s.io/v1 Ingress IngressClass NetworkPolicy
networking.k8s.io/v1beta1 Ingress IngressClass
node.k8s.io/v1 RuntimeClass
node.k8s.io/v1beta1 RuntimeClass
policy/v1 PodDisruptionBudget:WithStatus
policy/v1beta1 Eviction PodDisruptionBudget:WithStatus PodSecurityPolicy
rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding Role RoleBinding
rbac.authorization.k8s.io/v1beta1 ClusterRole ClusterRoleBinding Role RoleBinding
scheduling.k8s.io/v1 PriorityClass
scheduling.k8s.io/v1beta1 PriorityClass
storage.k8s.io/v1 CSIDriver CSINode:CSINode StorageClass VolumeAttachment
storage.k8s.io/v1beta1 CSIDriver CSINode:CSINode CSIStorageCapacity StorageClass VolumeAttachment
v1 Binding ComponentStatus:ComponentStatus ConfigMap Endpoints Event LimitRange Namespace:WithStatus Node:Node PersistentVolume PersistentVolumeClaim:WithStatus Pod:Pod PodTemplate:PodTemplate ReplicationController:Workload ResourceQuota Secret Service:Service ServiceAccount:ServiceAccount
`;

const rows = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' '));

function objectSchema(texts: readonly string[]): MergeSchema {
  const fields = new Map<string, MergeSchema>();
  for (const text of texts) {
    const [, name = '', mark, keys = '', type] = /^(\w+)(\*|\[\])?([\w,]*)(?::(\w+))?$/u.exec(text) ?? [];
    const target = (): MergeSchema | undefined => (type ? byType.get(type) : undefined);
    fields.set(name, mark ? listSchema(mark === '*' ? keys : undefined, target) : lazySchema(target));
  }
  return { field: (name) => fields.get(name), elements: () => undefined, mergeKeys: undefined };
}

const listSchema = (keys: string | undefined, elements: () => MergeSchema | undefined): MergeSchema => ({
  field: () => undefined,
  elements,
  mergeKeys: keys === undefined ? undefined : keys.split(',').filter((key) => key !== ''),
});

/** A type may refer to one that is declared after it. */
const lazySchema = (target: () => MergeSchema | undefined): MergeSchema => ({
  field: (name) => target()?.field(name),
  elements: () => undefined,
  mergeKeys: undefined,
});

const byType = new Map<string, MergeSchema>();
for (const [type = '', ...fields] of rows(types)) byType.set(type, objectSchema(fields));

const byKind = new Map<string, MergeSchema>();
for (const [apiVersion, ...names] of rows(kinds)) {
  for (const name of names) {
    const [kind, type = 'Plain'] = name.split(':');
    byKind.set(`${apiVersion} ${kind}`, must(byType.get(type), type));
  }
}

export const builtInSchema: SchemaLookup = (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`);
