import type { ClaimSpec, DataSource, DataSourceRef } from './claim-types.ts';

const isClaimOrSnapshot = ({ apiGroup, kind }: DataSource): boolean =>
  (!apiGroup && kind === 'PersistentVolumeClaim') ||
  (apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot');

/**
 * `dataSource` is the older form and drops unsupported kinds; `dataSourceRef` is the newer one. Old clients read the former, new ones the
 * latter, so the server sets whichever is missing.
 */
export function alignDataSources(spec: ClaimSpec, old: ClaimSpec | undefined): void {
  if (spec.dataSourceRef?.namespace && !old?.dataSourceRef) delete spec.dataSourceRef;
  const inUse = old?.dataSource || old?.dataSourceRef;
  if (!inUse && !spec.dataSourceRef && spec.dataSource && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = copyOf(spec.dataSource);
  else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace) {
    spec.dataSource = copyOf(spec.dataSourceRef);
  }
}

/** An absent group is shown as null. */
const copyOf = ({
  apiGroup = null,
  kind = '',
  name = '',
}: Omit<DataSourceRef, 'apiGroup'> & { apiGroup?: string | null }) => ({ apiGroup, kind, name }) as DataSource;
