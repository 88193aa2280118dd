import type { MakeController } from '../parts.ts';
import { cronJobController } from './cron-job/cron-job-controller.ts';
import { daemonSetController } from './daemon-set/daemon-set-controller.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { finishedJobController } from './job/finished-jobs.ts';
import { jobController } from './job/job-controller.ts';
import { jobOrphanController } from './job/orphan-pods.ts';
import { replicaSetController, replicationControllerController } from './replica-set/replica-set-controller.ts';
import { statefulSetController } from './stateful-set/stateful-set-controller.ts';

/** Controllers of all kinds that create pods. */
export const workloadControllers: readonly MakeController[] = [
  deploymentController,
  replicaSetController,
  replicationControllerController,
  statefulSetController,
  daemonSetController,
  jobController,
  jobOrphanController,
  finishedJobController,
  cronJobController,
];
