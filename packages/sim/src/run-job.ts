import { runScenario, type ScenarioResult } from './scenario.ts';
import { largeScenarios, scenarios } from './scenarios/index.ts';
import type { Job } from './seed-plan.ts';
import { shrink } from './shrink.ts';

export interface JobOptions {
  /** Only the planned events of these numbers. */
  readonly keep?: readonly number[] | undefined;
  /** Whether a failure is shrunk to the fewest events that still show it. */
  readonly shrunk: boolean;
  readonly trace: boolean;
}

export interface JobResult extends Job {
  readonly failed: boolean;
  /** The report for a user. */
  readonly lines: readonly string[];
}

const linesShown = 30;

let stray: unknown;
process.on('unhandledRejection', (reason) => {
  stray ??= reason ?? new Error('unhandled promise rejection');
});

/** Runs one schedule; a failure includes the command that repeats it. */
export async function runJob({ scenario: name, seed }: Job, { keep, shrunk, trace }: JobOptions): Promise<JobResult> {
  const scenario = [...scenarios, ...largeScenarios].find((known) => known.name === name)!;
  stray = undefined;
  const ran = await runScenario(scenario, seed, keep);
  const whole: ScenarioResult = stray !== undefined && !('error' in ran) ? { ...ran, error: stray } : ran;
  const reported = trace ? whole.trace : [];
  if (!('error' in whole)) return { scenario: name, seed, failed: false, lines: reported };
  const short = shrunk && keep === undefined ? await shrink(scenario, whole) : undefined;
  const { error, trace: last, fingerprint, planned } = short?.result ?? whole;
  const words = error instanceof Error ? error.message : String(error);
  const kept = short ? ` --keep ${short.keep.join(',')}` : '';
  return {
    scenario: name,
    seed,
    failed: true,
    lines: [
      ...reported,
      `✖ ${name}, seed ${seed} (trace ${fingerprint}): ${words}`,
      ...(short?.keep ?? []).map((index) => `    ${index}: ${planned[index]}`),
      ...last.slice(-linesShown).map((line) => `    ${line}`),
      `  replay: npm run sim -- --seed ${seed} --scenario ${name}${kept} --trace`,
    ],
  };
}
