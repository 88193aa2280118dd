/** Kinds that others depend on are first. A kind that is not listed is after all that are. */
const order =
  `Namespace NetworkPolicy ResourceQuota LimitRange PodSecurityPolicy PodDisruptionBudget ServiceAccount Secret SecretList
  ConfigMap StorageClass PersistentVolume PersistentVolumeClaim CustomResourceDefinition ClusterRole ClusterRoleList ClusterRoleBinding
  ClusterRoleBindingList Role RoleList RoleBinding RoleBindingList Service DaemonSet Pod ReplicationController ReplicaSet Deployment
  HorizontalPodAutoscaler StatefulSet Job CronJob IngressClass Ingress APIService`.split(/\s+/u);

const ranks = new Map(order.map((kind, rank) => [kind, rank]));

export const kindRank = (kind: string): number => ranks.get(kind) ?? order.length;
