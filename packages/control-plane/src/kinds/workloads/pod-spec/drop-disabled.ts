import type { PodSpec } from './types.ts';
import { everyContainer } from './visit.ts';

/**
 * Fields of features that are off in this version are dropped silently, unless the object already has them. Other rules can ignore them.
 */
export function dropDisabledFields(spec: PodSpec, old: PodSpec | undefined): void {
  if (!old?.schedulingGroup) delete spec.schedulingGroup;
  if (!old || ![...everyContainer(old)].some(({ lifecycle }) => lifecycle?.stopSignal != null)) dropStopSignals(spec);
  for (const kind of ['clusterTrustBundle', 'podCertificate'] as const) {
    if (projections(old).some((source) => source[kind])) continue;
    for (const source of projections(spec)) delete source[kind];
  }
}

function dropStopSignals(spec: PodSpec): void {
  for (const container of everyContainer(spec)) {
    if (container.lifecycle?.stopSignal == null) continue;
    delete container.lifecycle.stopSignal;
    if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
  }
}

const projections = (spec: PodSpec | undefined) =>
  (spec?.volumes ?? []).flatMap((volume) => volume.projected?.sources ?? []);
