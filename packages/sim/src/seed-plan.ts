import type { Scenario } from './scenario.ts';

/** One schedule to run. */
export interface Job {
  readonly scenario: string;
  readonly seed: number;
}

/**
 * Divides the schedules among scenarios by their shares. Each scenario gets its own consecutive seeds from `first` on: properties derived
 * from the seed (cells of a matrix, crash points) are covered completely. Every scenario gets at least one.
 */
export function planSeeds(scenarios: readonly Scenario[], count: number, first: number): Job[] {
  const jobs: Job[] = [];
  for (const [name, seeds] of divide(scenarios, count)) {
    for (let i = 0; i < seeds; i++) jobs.push({ scenario: name, seed: first + i });
  }
  return jobs;
}

/** By largest remainder: the parts are whole and add up. */
function divide(scenarios: readonly Scenario[], count: number): [string, number][] {
  const share = ({ share: own = 100 }: Scenario): number => own;
  const whole = scenarios.reduce((sum, scenario) => sum + share(scenario), 0);
  const spare = Math.max(0, count - scenarios.length);
  const parts = scenarios.map((scenario, index) => {
    const exact = (spare * share(scenario)) / whole;
    return { name: scenario.name, seeds: Math.floor(exact) + (index < count ? 1 : 0), rest: exact % 1 };
  });
  let left = count - parts.reduce((sum, { seeds }) => sum + seeds, 0);
  for (const part of [...parts].sort((a, b) => b.rest - a.rest)) if (left-- > 0) part.seeds += 1;
  return parts.map(({ name, seeds }) => [name, seeds]);
}
