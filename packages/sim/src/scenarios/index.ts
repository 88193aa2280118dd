import type { Scenario } from '../scenario.ts';
import { agentPairs, agentTriples } from './agent/matrix.ts';
import { controllerCopies } from './controller-copies.ts';
import { informerConverges } from './informer-converges.ts';
import { oneLeader } from './one-leader.ts';

/** What `npm run sim` runs: seed after seed, each scenario in its turn. */
export const scenarios: readonly Scenario[] = [
  informerConverges(),
  controllerCopies,
  oneLeader(),
  agentPairs(),
  agentTriples(),
];
