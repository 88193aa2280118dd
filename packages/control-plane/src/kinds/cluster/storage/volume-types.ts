import type { ObjectMeta } from '@fairlead/apimachinery';
import type { NodeSelectorTerm } from '../../workloads/pod-spec/types.ts';
import type { VolumeSources } from '../../workloads/pod-spec/volume-types.ts';
import type { ResourceList } from '../quantity.ts';

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
  nodeAffinity?: { required?: { nodeSelectorTerms?: NodeSelectorTerm[] } };
  csi?: CsiSource;
  local?: { path?: string };
  glusterfs?: { endpoints?: string; path?: string; endpointsNamespace?: string };
  cinder?: { volumeID?: string; secretRef?: SecretReference };
  storageos?: { volumeName?: string; volumeNamespace?: string; secretRef?: SecretReference };
  azureFile?: { secretName?: string; shareName?: string; secretNamespace?: string };
}

export interface PersistentVolume {
  metadata: ObjectMeta;
  spec?: VolumeSpec;
  status?: { phase?: string; lastPhaseTransitionTime?: string };
}
