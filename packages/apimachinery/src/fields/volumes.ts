import type { LabelSelector } from '../validation/labels.ts';
import type { FieldRef, ResourceFieldRef, ResourceRequirements, TemplateMeta } from './pod-spec.ts';

/** A volume of a pod spec: a name and, if it is valid, exactly one source. */
export interface Volume extends VolumeSources {
  name?: string;
}

export interface VolumeSources {
  emptyDir?: { medium?: string; sizeLimit?: string };
  hostPath?: { path?: string; type?: string };
  gitRepo?: { repository?: string; directory?: string };
  gcePersistentDisk?: { pdName?: string; partition?: number };
  awsElasticBlockStore?: { volumeID?: string; partition?: number };
  secret?: { secretName?: string; defaultMode?: number; items?: KeyToPath[]; optional?: boolean };
  nfs?: { server?: string; path?: string };
  iscsi?: IscsiVolume;
  glusterfs?: { endpoints?: string; path?: string };
  flocker?: { datasetName?: string; datasetUUID?: string };
  persistentVolumeClaim?: { claimName?: string };
  rbd?: { monitors?: string[]; image?: string; pool?: string; user?: string; keyring?: string };
  cinder?: { volumeID?: string; secretRef?: { name?: string } };
  cephfs?: { monitors?: string[] };
  quobyte?: { registry?: string; volume?: string; tenant?: string };
  downwardAPI?: { defaultMode?: number; items?: DownwardFile[] };
  fc?: { targetWWNs?: string[]; wwids?: string[]; lun?: number };
  flexVolume?: { driver?: string; options?: Record<string, string> };
  configMap?: { name?: string; defaultMode?: number; items?: KeyToPath[]; optional?: boolean };
  azureFile?: { secretName?: string; shareName?: string };
  vsphereVolume?: { volumePath?: string };
  photonPersistentDisk?: { pdID?: string };
  portworxVolume?: { volumeID?: string };
  azureDisk?: AzureDisk;
  storageos?: { volumeName?: string; volumeNamespace?: string; secretRef?: { name?: string } };
  projected?: { defaultMode?: number; sources?: Projection[] };
  scaleIO?: { gateway?: string; system?: string; volumeName?: string; storageMode?: string; fsType?: string };
  csi?: { driver?: string; nodePublishSecretRef?: { name?: string } };
  ephemeral?: { volumeClaimTemplate?: ClaimTemplate };
  image?: { reference?: string; pullPolicy?: string };
}

export interface KeyToPath {
  key?: string;
  path?: string;
  mode?: number;
}

export interface DownwardFile {
  path?: string;
  mode?: number;
  fieldRef?: FieldRef;
  resourceFieldRef?: ResourceFieldRef;
}

export interface Projection {
  secret?: { name?: string; items?: KeyToPath[] };
  configMap?: { name?: string; items?: KeyToPath[] };
  downwardAPI?: { items?: DownwardFile[] };
  serviceAccountToken?: { audience?: string; expirationSeconds?: number; path?: string };
  clusterTrustBundle?: { name?: string; signerName?: string; labelSelector?: LabelSelector; path?: string };
  podCertificate?: {
    signerName?: string;
    keyType?: string;
    credentialBundlePath?: string;
    keyPath?: string;
    certificateChainPath?: string;
  };
}

export interface IscsiVolume {
  targetPortal?: string;
  iqn?: string;
  lun?: number;
  iscsiInterface?: string;
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: { name?: string };
  initiatorName?: string;
}

export interface AzureDisk {
  diskName?: string;
  diskURI?: string;
  cachingMode?: string;
  fsType?: string;
  readOnly?: boolean;
  kind?: string;
}

export interface ClaimTemplate {
  metadata?: TemplateMeta;
  spec?: ClaimSpec;
}

export interface ClaimSpec {
  accessModes?: string[];
  selector?: LabelSelector;
  resources?: ResourceRequirements;
  storageClassName?: string;
  volumeName?: string;
  volumeMode?: string;
  volumeAttributesClassName?: string;
  dataSource?: { apiGroup?: string; kind?: string; name?: string };
  dataSourceRef?: { apiGroup?: string; kind?: string; name?: string; namespace?: string };
}
