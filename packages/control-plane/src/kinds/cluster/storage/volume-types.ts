export type {
  CsiSource,
  PersistentVolumeFields as PersistentVolume,
  SecretReference,
  VolumeSpec,
} from '@fairlead/apimachinery/fields';
