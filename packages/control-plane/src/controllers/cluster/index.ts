import { clusterRoleAggregation } from '../../access/index.ts';
import type { MakeController } from '../parts.ts';
import { tokenSecrets } from './access/token-secrets.ts';
import { apiServiceAvailability } from './api-services/api-service-availability.ts';
import { autoscalers } from './autoscaling/autoscalers.ts';
import { disruptionBudgets } from './disruption/disruption-budgets.ts';
import { endpointMirror } from './endpoints/mirror.ts';
import { serverEndpoints } from './endpoints/server-endpoints.ts';
import { serviceEndpoints } from './endpoints/service-endpoints.ts';
import { eventExpiry } from './events/event-expiry.ts';
import { garbageCollector } from './garbage/garbage-collector.ts';
import { namespaceDeleter } from './namespaces/namespace-deleter.ts';
import { defaultServiceAccounts, rootCertificates } from './namespaces/standing-objects.ts';
import { nodeLifecycle } from './nodes/node-lifecycle.ts';
import { podCollector } from './nodes/pod-collector.ts';
import { taintEviction } from './nodes/taint-eviction.ts';
import { resourceQuotas } from './quota/resource-quotas.ts';
import { scheduler } from './scheduler/index.ts';

import { ephemeralClaims } from './volumes/ephemeral-claims.ts';
import { claimProtection, volumeProtection } from './volumes/protection.ts';
import { simVolumes } from './volumes/sim-provisioner.ts';
import { volumeBinder } from './volumes/volume-binder.ts';

export { simProvisioner, simStorageClass } from './volumes/sim-provisioner.ts';

/** Controllers of the cluster itself: garbage collection, namespaces, endpoints, scheduling and the rest. */
export const clusterControllers: readonly MakeController[] = [
  scheduler,
  garbageCollector,
  namespaceDeleter,
  defaultServiceAccounts,
  rootCertificates,
  serviceEndpoints,
  endpointMirror,
  nodeLifecycle,
  taintEviction,
  podCollector,
  volumeBinder,
  claimProtection,
  volumeProtection,
  ephemeralClaims,
  simVolumes,
  disruptionBudgets,
  resourceQuotas,
  autoscalers,
  clusterRoleAggregation,
  tokenSecrets,
  eventExpiry,
  serverEndpoints,
  apiServiceAvailability,
];
