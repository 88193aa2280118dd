import type { ResourceType } from '@fairlead/apimachinery';

const namespaced = (group: string, kind: string, plural: string, version = 'v1'): ResourceType => ({
  group,
  version,
  kind,
  plural,
  namespaced: true,
});
const clusterScoped = (group: string, kind: string, plural: string): ResourceType => ({
  ...namespaced(group, kind, plural),
  namespaced: false,
});

/** The built-in resources that only controllers of the control plane use. The others are in apimachinery. */
export const claimType = namespaced('', 'PersistentVolumeClaim', 'persistentvolumeclaims');
export const volumeType = clusterScoped('', 'PersistentVolume', 'persistentvolumes');
export const endpointsType = namespaced('', 'Endpoints', 'endpoints');
export const quotaType = namespaced('', 'ResourceQuota', 'resourcequotas');
export const replicationControllerType = namespaced('', 'ReplicationController', 'replicationcontrollers');
export const revisionType = namespaced('apps', 'ControllerRevision', 'controllerrevisions');
export const autoscalerType = namespaced('autoscaling', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'v2');
export const budgetType = namespaced('policy', 'PodDisruptionBudget', 'poddisruptionbudgets');
export const endpointSliceType = namespaced('discovery.k8s.io', 'EndpointSlice', 'endpointslices');
export const apiServiceType = clusterScoped('apiregistration.k8s.io', 'APIService', 'apiservices');
export const storageClassType = clusterScoped('storage.k8s.io', 'StorageClass', 'storageclasses');
