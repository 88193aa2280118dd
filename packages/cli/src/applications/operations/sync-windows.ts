import type { Application, AppProject } from '@fairlead/api';
import { syncWindowDecision } from '@fairlead/app-controller';
import { clusterText } from '../tables/status-text.ts';

/** Why a sync window of the project blocks automated and manual syncs of the Application. */
export function windowsOf(
  project: AppProject,
  application: Application,
  now: number,
): { automated?: string; manual?: string } {
  const { destination } = application.spec;
  const cluster = { name: clusterText(application), server: destination.server ?? '' };
  const automated = syncWindowDecision({ project, application, cluster, now });
  const manual = syncWindowDecision({ project, application, cluster, now, manual: true });
  return {
    ...(automated.open ? {} : { automated: automated.reason }),
    ...(manual.open ? {} : { manual: manual.reason }),
  };
}
