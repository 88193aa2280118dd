import type { ClaimSpec, PersistentVolumeClaimFields } from '@fairlead/apimachinery/fields';

export type { ClaimSpec };
export type Claim = PersistentVolumeClaimFields;
export type DataSource = NonNullable<ClaimSpec['dataSource']>;
export type DataSourceRef = NonNullable<ClaimSpec['dataSourceRef']>;

export const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

/** The annotation is older than the field and takes precedence. */
export const classOf = (claim: Claim): string | undefined =>
  claim.metadata.annotations?.[classAnnotation] ?? claim.spec?.storageClassName;
