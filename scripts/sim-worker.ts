/** A thread of `npm run sim`: runs the schedules that it receives, one at a time. */
import { parentPort } from 'node:worker_threads';
import { type Job, type JobOptions, runJob } from '@fairlead/sim/runner';

parentPort?.on('message', ({ job, options }: { job: Job; options: JobOptions }) => {
  void runJob(job, options).then((result) => parentPort?.postMessage(result));
});
