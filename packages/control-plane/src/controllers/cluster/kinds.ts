import type { ResourceType } from '@fairlead/apimachinery';

const core = (kind: string, plural: string, namespaced = true): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});

/** The kinds that the controllers of the cluster read and write. */
export const podType = core('Pod', 'pods');
export const nodeType = core('Node', 'nodes', false);
export const namespaceType = core('Namespace', 'namespaces', false);
export const claimType = core('PersistentVolumeClaim', 'persistentvolumeclaims');
export const volumeType = core('PersistentVolume', 'persistentvolumes', false);
export const serviceType = core('Service', 'services');
export const endpointsType = core('Endpoints', 'endpoints');
export const serviceAccountType = core('ServiceAccount', 'serviceaccounts');
export const secretType = core('Secret', 'secrets');
export const configMapType = core('ConfigMap', 'configmaps');
export const quotaType = core('ResourceQuota', 'resourcequotas');
export const eventType = core('Event', 'events');

export const storageClassType: ResourceType = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
};
export const endpointSliceType: ResourceType = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};
export const budgetType: ResourceType = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};
export const autoscalerType: ResourceType = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
};
export const leaseType: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};
