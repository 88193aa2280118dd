import type { Scenario } from '../scenario.ts';
import { agentPairs, agentTriples } from './agent/matrix.ts';
import { controllerCopies } from './controller-copies.ts';
import { informerConverges } from './informer-converges.ts';
import { oneLeader } from './one-leader.ts';
import { prepullLimits, prepullLimitsLarge } from './prepull-limits.ts';
import { serviceCrashPoints } from './service/service-crash-points.ts';
import { serviceStorm } from './service/service-storm.ts';
import { syncConverges } from './sync/sync-converges.ts';
import { syncCrashPoints } from './sync/sync-crash-points.ts';
import { syncRequests } from './sync/sync-requests.ts';

/** What `npm run sim` runs: seed after seed, each scenario in its turn. */
export const scenarios: readonly Scenario[] = [
  informerConverges(),
  controllerCopies,
  oneLeader(),
  agentPairs(),
  agentTriples(),
  prepullLimits(),
  serviceCrashPoints,
  serviceStorm,
  syncConverges(),
  syncCrashPoints(),
  syncRequests(),
];

/** Run by their names alone: one of them takes as long as thousands of the others. */
export const largeScenarios: readonly Scenario[] = [prepullLimitsLarge()];
