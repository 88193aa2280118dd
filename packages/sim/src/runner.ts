/** What `npm run sim` needs: the scenarios, the plan of their seeds, and a run of one of them. */
export { type JobOptions, type JobResult, runJob } from './run-job.ts';
export { largeScenarios, scenarios } from './scenarios/index.ts';
export { type Job, planSeeds } from './seed-plan.ts';
