/**
 * `npm run sim -- --seeds N [--seed S] [--scenario NAME] [--keep 1,4,…] [--trace]`: N deterministic fault schedules, divided among the
 * scenarios by their shares, each with seeds of its own from S on; `--seed S` alone is that one seed of each. All processors share the
 * work. A failure is shrunk to the fewest of its planned events that still show it, and prints the command that replays those; the
 * last line is `N passed, M failed`.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { JobOptions, JobResult } from '../packages/sim/src/run-job.ts';
import { largeScenarios, scenarios } from '../packages/sim/src/scenarios/index.ts';
import { type Job, planSeeds } from '../packages/sim/src/seed-plan.ts';
import { readCommandLine } from './command-line.ts';

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
if (positionals.length > 0) refuse(`${positionals[0]}: not an option`);
if (!Number.isInteger(first) || first < 0) refuse('--seed is a whole number');
if (!Number.isInteger(count) || count < 1) refuse('--seeds is a whole number, at least 1');
if (chosen.length === 0) refuse(`there is no scenario ${values.scenario}`);

/** So many failures are shrunk; after them there is enough to do. */
const shrunk = 5;
const began = performance.now();
const jobs = planSeeds(chosen, count, first);
const counts = new Map(chosen.map(({ name }) => [name, { passed: 0, failed: 0 }]));
const failures = (): number => [...counts.values()].reduce((sum, { failed }) => sum + failed, 0);
let next = 0;

function hand(worker: Worker): boolean {
  const job: Job | undefined = jobs[next++];
  if (!job) return false;
  const options: JobOptions = { keep, shrunk: failures() < shrunk, trace: values.trace ?? false };
  worker.postMessage({ job, options });
  return true;
}

function note({ scenario, failed, lines }: JobResult): void {
  counts.get(scenario)![failed ? 'failed' : 'passed'] += 1;
  for (const line of lines) console.log(line);
}

const work = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sim-worker.ts', import.meta.url));
    const go = (): void => {
      if (!hand(worker)) resolve();
    };
    worker.on('error', reject);
    worker.on('message', (result: JobResult) => {
      note(result);
      go();
    });
    go();
  });

await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, work));
for (const [name, { passed, failed }] of counts) console.log(`${name}: ${passed} passed, ${failed} failed`);
const seconds = (performance.now() - began) / 1000;
console.log(`${count} schedules in ${seconds.toFixed(1)} s, ${Math.round((count / seconds) * 60)} a minute`);
console.log(`${count - failures()} passed, ${failures()} failed`);
process.exit(failures() === 0 ? 0 : 1);
