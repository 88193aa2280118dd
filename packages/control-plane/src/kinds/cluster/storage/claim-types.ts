import type { ObjectMeta } from '@fairlead/apimachinery';
import type { ClaimSpec } from '../../workloads/pod-spec/volume-types.ts';
import type { ResourceList } from '../quantity.ts';

export type { ClaimSpec };
export type DataSource = NonNullable<ClaimSpec['dataSource']>;
export type DataSourceRef = NonNullable<ClaimSpec['dataSourceRef']>;

export interface Claim {
  metadata: ObjectMeta;
  spec?: ClaimSpec;
  status?: {
    phase?: string;
    capacity?: ResourceList;
    allocatedResources?: ResourceList;
    allocatedResourceStatuses?: Record<string, string>;
    currentVolumeAttributesClassName?: string;
  };
}

export const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

/** The annotation came before the field and still wins. */
export const classOf = (claim: Claim): string | undefined =>
  claim.metadata.annotations?.[classAnnotation] ?? claim.spec?.storageClassName;
