import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@fairlead/apimachinery';
import type { SuiteOptions } from '../../../../scripts/conformance.ts';
import { openCluster } from './controllers/cluster.ts';
import { type KubeletStates, type Scenario, ScenarioRun } from './controllers/scenario.ts';
import { type Case, type NamedOutcome, outcomeOf } from './outcome.ts';
import { pooled } from './pooled.ts';

/** A scenario mostly waits until nothing changes, so many run at once. */
const atOnce = 12;

/** The writes of controllers and the scheduler, step by step, on a cluster without kubelets. */
export async function* runScenarios(
  cases: readonly Case[],
  { dir, kubeconfig }: SuiteOptions,
): AsyncGenerator<NamedOutcome> {
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(dir, file), 'utf8')) as T;
  const states = read<KubeletStates>('kubelet-states.json');
  const cluster = await openCluster(kubeconfig, read<KubeObject[]>('nodes.json'));
  try {
    const scenarios = cases as readonly Scenario[];
    const run = async (scenario: Scenario) => ({
      name: scenario.name,
      outcome: await outcomeOf(new ScenarioRun(cluster, states, scenario).outcome()),
    });
    const alone = scenarios.filter((scenario) => touchesAll(scenario));
    yield* pooled(
      scenarios.filter((scenario) => !alone.includes(scenario)),
      atOnce,
      run,
    );
    for (const scenario of alone) yield await run(scenario);
  } finally {
    await cluster.close();
  }
}

const clusterWide = ['Node', 'PersistentVolume', 'StorageClass', 'PriorityClass', 'IngressClass', 'RuntimeClass'];

/** A node or a volume of one scenario is visible to the others too. */
function touchesAll({ steps }: Scenario): boolean {
  return steps.some((step) => clusterWide.includes(step.create?.kind ?? step.patch?.kind ?? step.delete?.kind ?? ''));
}
