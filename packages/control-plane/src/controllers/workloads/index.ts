import type { MakeController } from '../parts.ts';
import { daemonSetController } from './daemon-set/daemon-set-controller.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { replicaSetController, replicationControllerController } from './replica-set/replica-set-controller.ts';
import { statefulSetController } from './stateful-set/stateful-set-controller.ts';

/** Controllers of everything that makes pods. */
export const workloadControllers: readonly MakeController[] = [
  deploymentController,
  replicaSetController,
  replicationControllerController,
  statefulSetController,
  daemonSetController,
];
