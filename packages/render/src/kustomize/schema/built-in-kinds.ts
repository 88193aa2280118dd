/** The cluster-scoped kinds of Kubernetes 1.21, the version that is built into Kustomize. */
const clusterScoped = kindsIn(`
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration ValidatingWebhookConfiguration
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration ValidatingWebhookConfiguration
apiextensions.k8s.io/v1 CustomResourceDefinition
apiextensions.k8s.io/v1beta1 CustomResourceDefinition
apiregistration.k8s.io/v1 APIService
apiregistration.k8s.io/v1beta1 APIService
certificates.k8s.io/v1 CertificateSigningRequest
certificates.k8s.io/v1beta1 CertificateSigningRequest
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema PriorityLevelConfiguration
networking.k8s.io/v1 IngressClass
networking.k8s.io/v1beta1 IngressClass
node.k8s.io/v1 RuntimeClass
node.k8s.io/v1beta1 RuntimeClass
policy/v1beta1 PodSecurityPolicy
rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding
rbac.authorization.k8s.io/v1beta1 ClusterRole ClusterRoleBinding
scheduling.k8s.io/v1 PriorityClass
scheduling.k8s.io/v1beta1 PriorityClass
storage.k8s.io/v1 CSIDriver CSINode StorageClass VolumeAttachment
storage.k8s.io/v1beta1 CSIDriver CSINode StorageClass VolumeAttachment
v1 ComponentStatus Namespace Node NodeProxyOptions PersistentVolume
`);

/** The namespaced kinds. */
const namespaced = kindsIn(`
apps/v1 ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet
autoscaling/v1 HorizontalPodAutoscaler Scale
autoscaling/v2beta1 HorizontalPodAutoscaler
autoscaling/v2beta2 HorizontalPodAutoscaler
batch/v1 CronJob Job
batch/v1beta1 CronJob
coordination.k8s.io/v1 Lease
coordination.k8s.io/v1beta1 Lease
discovery.k8s.io/v1 EndpointSlice
discovery.k8s.io/v1beta1 EndpointSlice
events.k8s.io/v1 Event
events.k8s.io/v1beta1 Event
extensions/v1beta1 Ingress
networking.k8s.io/v1 Ingress NetworkPolicy
networking.k8s.io/v1beta1 Ingress
policy/v1 PodDisruptionBudget
policy/v1beta1 PodDisruptionBudget
rbac.authorization.k8s.io/v1 Role RoleBinding
rbac.authorization.k8s.io/v1beta1 Role RoleBinding
storage.k8s.io/v1beta1 CSIStorageCapacity
v1 ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodAttachOptions PodExecOptions PodPortForwardOptions PodProxyOptions PodTemplate
v1 ReplicationController ResourceQuota Secret Service ServiceAccount ServiceProxyOptions
`);

function kindsIn(text: string): ReadonlySet<string> {
  const lines = text.trim().split('\n');
  return new Set(
    lines.flatMap((line) => {
      const [apiVersion, ...kinds] = line.split(' ');
      return kinds.map((kind) => `${apiVersion} ${kind}`);
    }),
  );
}

export const isClusterScoped = (apiVersion: string, kind: string): boolean =>
  clusterScoped.has(`${apiVersion} ${kind}`);

export const isBuiltInKind = (apiVersion: string, kind: string): boolean =>
  isClusterScoped(apiVersion, kind) || namespaced.has(`${apiVersion} ${kind}`);
