import { runScenario, type Scenario, type ScenarioResult } from './scenario.ts';

export interface Shrunk {
  /** The numbers of the required planned events. */
  readonly keep: readonly number[];
  readonly result: ScenarioResult;
}

/**
 * The fewest planned events that still reproduce the failure of a seed: halves are removed, then quarters, and so on down to single events,
 * as long as the failure remains. Undefined if the scenario planned nothing.
 */
export async function shrink(scenario: Scenario, failed: ScenarioResult): Promise<Shrunk | undefined> {
  if (failed.planned.length === 0) return undefined;
  let best: Shrunk = { keep: failed.planned.map((_, index) => index), result: failed };
  for (let size = Math.ceil(best.keep.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.keep.length; ) {
      const keep = [...best.keep.slice(0, at), ...best.keep.slice(at + size)];
      const result = await runScenario(scenario, failed.seed, keep);
      if ('error' in result) best = { keep, result };
      else at += size;
    }
  }
  return best;
}
