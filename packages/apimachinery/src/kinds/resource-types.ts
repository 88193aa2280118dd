import type { ResourceType } from '../meta/object.ts';

const namespaced =
  (group: string) =>
  (kind: string, plural: string): ResourceType => ({ group, version: 'v1', kind, plural, namespaced: true });
const clusterScoped =
  (group: string) =>
  (kind: string, plural: string): ResourceType => ({ group, version: 'v1', kind, plural, namespaced: false });

const core = namespaced('');
const apps = namespaced('apps');
const batch = namespaced('batch');

/** The built-in resources that Fairlead itself reads or writes. */
export const namespaceType = clusterScoped('')('Namespace', 'namespaces');
export const nodeType = clusterScoped('')('Node', 'nodes');
export const configMapType = core('ConfigMap', 'configmaps');
export const eventType = core('Event', 'events');
export const podType = core('Pod', 'pods');
export const secretType = core('Secret', 'secrets');
export const serviceType = core('Service', 'services');
export const serviceAccountType = core('ServiceAccount', 'serviceaccounts');
export const daemonSetType = apps('DaemonSet', 'daemonsets');
export const deploymentType = apps('Deployment', 'deployments');
export const replicaSetType = apps('ReplicaSet', 'replicasets');
export const statefulSetType = apps('StatefulSet', 'statefulsets');
export const cronJobType = batch('CronJob', 'cronjobs');
export const jobType = batch('Job', 'jobs');
export const leaseType = namespaced('coordination.k8s.io')('Lease', 'leases');
export const crdType = clusterScoped('apiextensions.k8s.io')('CustomResourceDefinition', 'customresourcedefinitions');
