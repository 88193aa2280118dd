/**
 * `npm run sim -- --seeds N [--seed S] [--scenario NAME] [--keep 1,4,…] [--trace]`: N deterministic fault schedules, divided among the
 * scenarios by their shares, each with consecutive seeds from S on; `--seed S` alone runs that one seed of each. The work is divided
 * among all processors. A failure is shrunk to the fewest planned events that still cause it, and prints the command that replays
 * them. The last line is `N passed, M failed`.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Job, type JobOptions, type JobResult, largeScenarios, planSeeds, scenarios } from '@fairlead/sim/runner';
import { exitAfterOutput, readCommandLine } from './command-line.ts';

const usage = `usage: npm run sim -- --seeds N [--seed S] [--scenario NAME] [--keep 1,4,…] [--trace]
scenarios: ${[...scenarios, ...largeScenarios].map(({ name }) => name).join(', ')}`;
const { values, positionals, refuse } = readCommandLine(usage, {
  seeds: { type: 'string' },
  seed: { type: 'string' },
  scenario: { type: 'string' },
  keep: { type: 'string' },
  trace: { type: 'boolean' },
});
const chosen =
  values.scenario === undefined
    ? scenarios
    : [...scenarios, ...largeScenarios].filter(({ name }) => name === values.scenario);
const first = Number(values.seed ?? 1);
const count = Number(values.seeds ?? (values.seed === undefined ? 300 : chosen.length));
const keep = values.keep?.split(',').filter(Boolean).map(Number);
if (positionals.length > 0) refuse(`unexpected argument ${positionals[0]}`);
if (!Number.isInteger(first) || first < 0) refuse('--seed must be a whole number');
if (!Number.isInteger(count) || count < 1) refuse('--seeds must be a whole number, at least 1');
if (chosen.length === 0) refuse(`unknown scenario ${values.scenario}`);

/** Shrinking takes long, so only the first failures are shrunk. */
const maxShrunk = 5;
const began = performance.now();
const jobs: Iterator<Job> = planSeeds(chosen, count, first).values();
const counts = new Map(chosen.map(({ name }) => [name, { passed: 0, failed: 0 }]));
const failures = (): number => [...counts.values()].reduce((sum, { failed }) => sum + failed, 0);

/** Gives the worker the next schedule; false if there is none. */
function giveJob(worker: Worker): boolean {
  const { value: job, done } = jobs.next();
  if (done) return false;
  const options: JobOptions = { keep, shrunk: failures() < maxShrunk, trace: values.trace ?? false };
  worker.postMessage({ job, options });
  return true;
}

function report({ scenario, failed, lines }: JobResult): void {
  const counted = counts.get(scenario);
  if (counted) counted[failed ? 'failed' : 'passed'] += 1;
  for (const line of lines) console.log(line);
}

const runWorker = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sim-worker.ts', import.meta.url));
    const next = (): void => {
      if (!giveJob(worker)) resolve();
    };
    worker.on('error', reject);
    worker.on('message', (result: JobResult) => {
      report(result);
      next();
    });
    next();
  });

await Promise.all(Array.from({ length: Math.min(availableParallelism(), count) }, runWorker));
for (const [name, { passed, failed }] of counts) console.log(`${name}: ${passed} passed, ${failed} failed`);
const seconds = (performance.now() - began) / 1000;
console.log(`${count} schedules in ${seconds.toFixed(1)} s, ${Math.round((count / seconds) * 60)} a minute`);
console.log(`${count - failures()} passed, ${failures()} failed`);
exitAfterOutput(failures() === 0 ? 0 : 1);
