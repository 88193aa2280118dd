import { Simulation } from './simulation.ts';

/** A scenario with invariants. It runs in a simulation made from a seed, and throws if an invariant is violated. */
export interface Scenario {
  readonly name: string;
  /** How many of ten thousand schedules run this scenario: more when it is quick, fewer when one run takes long. */
  readonly share?: number;
  run(sim: Simulation): Promise<void>;
}

export interface ScenarioResult {
  readonly scenario: string;
  readonly seed: number;
  /** The same for every run of one seed. */
  readonly fingerprint: string;
  readonly trace: readonly string[];
  /** The events that the scenario planned, by their numbers. */
  readonly planned: readonly string[];
  readonly error?: unknown;
}

/** With `keep`, only the planned events of these numbers happen. */
export async function runScenario(scenario: Scenario, seed: number, keep?: Iterable<number>): Promise<ScenarioResult> {
  const sim = new Simulation(seed, keep);
  let failure: { readonly error: unknown } | undefined;
  try {
    await scenario.run(sim);
  } catch (error) {
    failure = { error };
  }
  const { fingerprint, lines: trace, planned } = sim;
  return { scenario: scenario.name, seed, fingerprint, trace, planned, ...failure };
}
