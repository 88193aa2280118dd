import type { StatefulSetFields } from '../fields/workloads.ts';
import { defaultTemplate } from './pod-spec.ts';
import { defaultClaimSpec } from './volumes.ts';

export function defaultStatefulSet(set: StatefulSetFields): void {
  const spec = (set.spec ??= {});
  defaultTemplate((spec.template ??= {}));
  spec.serviceName ??= '';
  spec.podManagementPolicy ||= 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
    claim.metadata ??= {};
    defaultClaimSpec((claim.spec ??= {}));
    (claim.status ??= {}).phase ||= 'Pending';
  }
}
