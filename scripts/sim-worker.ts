/** A thread of `npm run sim`: runs the schedules that it is handed, one at a time. */
import { parentPort } from 'node:worker_threads';
import { type JobOptions, runJob } from '../packages/sim/src/run-job.ts';
import type { Job } from '../packages/sim/src/seed-plan.ts';

parentPort!.on('message', ({ job, options }: { job: Job; options: JobOptions }) => {
  void runJob(job, options).then((result) => parentPort!.postMessage(result));
});
