import type { KubeObject } from '../meta/object.ts';
import type { NodeSelectorTermFields, ResourceList } from './pod-spec.ts';
import type { ClaimSpec, VolumeSources } from './volumes.ts';

export interface SecretReference {
  name?: string;
  namespace?: string;
}

export interface CsiSource {
  driver?: string;
  volumeHandle?: string;
  controllerPublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}

type SharedSources = Omit<VolumeSources, 'csi' | 'glusterfs' | 'cinder' | 'storageos' | 'azureFile'>;

export interface VolumeSpec extends SharedSources {
  capacity?: ResourceList;
  accessModes?: string[];
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  volumeMode?: string;
  volumeAttributesClassName?: string;
  claimRef?: object;
  mountOptions?: string[];
  nodeAffinity?: { required?: { nodeSelectorTerms?: NodeSelectorTermFields[] } };
  csi?: CsiSource;
  local?: { path?: string };
  glusterfs?: { endpoints?: string; path?: string; endpointsNamespace?: string };
  cinder?: { volumeID?: string; secretRef?: SecretReference };
  storageos?: { volumeName?: string; volumeNamespace?: string; secretRef?: SecretReference };
  azureFile?: { secretName?: string; shareName?: string; secretNamespace?: string };
}

export interface PersistentVolumeFields extends KubeObject {
  spec?: VolumeSpec;
  status?: { phase?: string; lastPhaseTransitionTime?: string };
}

export interface PersistentVolumeClaimFields extends KubeObject {
  spec?: ClaimSpec;
  status?: {
    phase?: string;
    capacity?: ResourceList;
    allocatedResources?: ResourceList;
    allocatedResourceStatuses?: Record<string, string>;
    currentVolumeAttributesClassName?: string;
  };
}

export interface VolumeError {
  message?: string;
  errorCode?: number;
}

export interface VolumeAttachmentFields extends KubeObject {
  spec?: {
    attacher?: string;
    nodeName?: string;
    source?: { persistentVolumeName?: string; inlineVolumeSpec?: VolumeSpec };
  };
  status?: {
    attached?: boolean;
    attachmentMetadata?: Record<string, string>;
    attachError?: VolumeError;
    detachError?: VolumeError;
  };
}

export interface StorageClassFields extends KubeObject {
  provisioner?: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
  allowedTopologies?: { matchLabelExpressions?: { key?: string; values?: string[] }[] }[];
}

export interface CsiDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  storageCapacity?: boolean;
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  fsGroupPolicy?: string;
  volumeLifecycleModes?: string[];
  tokenRequests?: { audience?: string; expirationSeconds?: number }[];
  nodeAllocatableUpdatePeriodSeconds?: number;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}

export interface CsiDriverFields extends KubeObject {
  spec?: CsiDriverSpec;
}
