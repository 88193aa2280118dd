import { join } from 'node:path';
import { type JsonObject, messageOf } from '@fairlead/apimachinery';
import type { RunningController } from './controller.ts';
import { Repository } from './repository.ts';
import type { Outcome, StepResult, Steps } from './run-scenarios.ts';
import { ScenarioRun } from './scenario-run.ts';
import type { Target } from './target.ts';

/** The observation of a scenario. */
export interface Observation {
  /** Called before the first step. */
  before?(run: ScenarioRun): Promise<void>;
  /** Called after the step of this index. */
  after(run: ScenarioRun, index: number): Promise<JsonObject>;
  /** Called last, on a shared cluster: deletes the remaining objects of this scenario. */
  cleanUp?(run: ScenarioRun): Promise<void>;
}

const ofSyncs: Observation = { after: (run) => run.observe() };

export interface ScenarioOptions {
  readonly folder: string;
  readonly id: string;
  readonly observation?: Observation | undefined;
  readonly removeAll?: boolean;
}

/** Runs the steps of a scenario, and observes after each. */
export async function runScenario(
  scenario: Steps,
  parts: { readonly target: Target; readonly controller: RunningController },
  { folder, id, observation = ofSyncs, removeAll = false }: ScenarioOptions,
): Promise<Outcome> {
  const results: StepResult[] = [];
  try {
    const repository = new Repository(join(folder, 'repository.git'), scenario);
    const run = new ScenarioRun(scenario, { ...parts, repository }, id);
    try {
      await run.prepare();
      await observation.before?.(run);
      for (const [index, step] of scenario.steps.entries()) {
        await run.step(step);
        if (step.observe !== false) results.push({ index, observed: await observation.after(run, index) });
      }
    } finally {
      await run.removeApplications();
      if (removeAll) {
        await observation.cleanUp?.(run);
        await run.removeObjects();
      }
    }
    return { results };
  } catch (error) {
    return { results, problem: `stopped after ${results.length} observations: ${messageOf(error)}` };
  }
}
