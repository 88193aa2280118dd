import { compareStrings } from '../go-template/go-string.ts';

/** Kinds in Helm's install order. */
const kinds = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];
const places = new Map(kinds.map((kind, place) => [kind, place]));

/** Kinds that Helm does not know come last, by name. */
export function compareKinds(a: string, b: string): number {
  const [first, second] = [places.get(a), places.get(b)];
  if (first === undefined && second === undefined) return compareStrings(a, b);
  return (first ?? kinds.length) - (second ?? kinds.length);
}
