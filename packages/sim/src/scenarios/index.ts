import type { Scenario } from '../scenario.ts';
import { agentPairs, agentTriples } from './agent/matrix.ts';
import { severalAgents } from './agent/several.ts';
import { controllerCopies } from './controller-copies.ts';
import { fleetStreams } from './fleet/fleet-streams.ts';
import { informerConverges } from './informer-converges.ts';
import { oneLeader } from './one-leader.ts';
import { prepullLimits, prepullLimitsLarge } from './prepull-limits.ts';
import { serviceAttack } from './service/service-attack.ts';
import { serviceBurst } from './service/service-burst.ts';
import { serviceCrashPoints } from './service/service-crash-points.ts';
import { serviceStorm } from './service/service-storm.ts';
import { shards } from './shards.ts';
import { syncConverges } from './sync/sync-converges.ts';
import { syncCrashPoints } from './sync/sync-crash-points.ts';
import { syncRequests } from './sync/sync-requests.ts';

/** The scenarios of `npm run sim`. The shares add up to ten thousand; slow scenarios have just enough for each of their cells. */
export const scenarios: readonly Scenario[] = [
  { ...serviceAttack, share: 60 },
  { ...serviceBurst, share: 120 },
  { ...serviceStorm, share: 100 },
  { ...serviceCrashPoints, share: 220 },
  { ...syncConverges(), share: 300 },
  { ...syncCrashPoints(), share: 145 },
  { ...syncRequests(), share: 200 },
  { ...prepullLimits(), share: 200 },
  { ...oneLeader(), share: 150 },
  { ...shards(), share: 100 },
  { ...fleetStreams(), share: 100 },
  { ...agentTriples(), share: 1_090 },
  { ...severalAgents(), share: 500 },
  { ...agentPairs(), share: 6_050 },
  { ...controllerCopies, share: 350 },
  { ...informerConverges(), share: 315 },
];

/** Run only by name: one of them takes as long as thousands of the others. */
export const largeScenarios: readonly Scenario[] = [prepullLimitsLarge()];
