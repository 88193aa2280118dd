export type {
  AzureDisk,
  ClaimSpec,
  ClaimTemplate,
  DownwardFile,
  IscsiVolume,
  KeyToPath,
  Projection,
  Volume,
  VolumeSources,
} from '@fairlead/apimachinery/fields';
