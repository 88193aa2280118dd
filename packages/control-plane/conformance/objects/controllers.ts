import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@fairlead/apimachinery';
import type { SuiteOptions } from '../../../../scripts/conformance.ts';
import { type Case, judged, type Verdict } from '../kubernetes-objects.ts';
import { openCluster } from './controllers/cluster.ts';
import { type KubeletStates, type Scenario, ScenarioRun } from './controllers/scenario.ts';

/** Most of a scenario is waiting for quiet, so many run at once. */
const atOnce = 12;

/** What controllers and the scheduler write, step by step, on a cluster without kubelets. */
export async function* runScenarios(
  cases: readonly Case[],
  { dir, kubeconfig }: SuiteOptions,
): AsyncGenerator<{ name: string; verdict: Verdict }> {
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(dir, file), 'utf8')) as T;
  const states = read<KubeletStates>('kubelet-states.json');
  const cluster = await openCluster(kubeconfig, read<KubeObject[]>('nodes.json'));
  try {
    const scenarios = cases as readonly Scenario[];
    const run = async (scenario: Scenario) => ({
      name: scenario.name,
      verdict: await judged(new ScenarioRun(cluster, states, scenario).verdict()),
    });
    const alone = scenarios.filter((scenario) => touchesAll(scenario));
    yield* pooled(
      scenarios.filter((scenario) => !alone.includes(scenario)),
      run,
    );
    for (const scenario of alone) yield await run(scenario);
  } finally {
    await cluster.close();
  }
}

const clusterWide = ['Node', 'PersistentVolume', 'StorageClass', 'PriorityClass', 'IngressClass', 'RuntimeClass'];

/** A node or a volume of one scenario is there for the others too. */
function touchesAll({ steps }: Scenario): boolean {
  return steps.some((step) => clusterWide.includes(step.create?.kind ?? step.patch?.kind ?? step.delete?.kind ?? ''));
}

async function* pooled<T, R>(items: readonly T[], run: (item: T) => Promise<R>): AsyncGenerator<R> {
  const waiting = [...items];
  const running = new Map<T, Promise<{ item: T; result: R }>>();
  while (waiting.length > 0 || running.size > 0) {
    while (waiting.length > 0 && running.size < atOnce) {
      const item = waiting.shift()!;
      running.set(
        item,
        run(item).then((result) => ({ item, result })),
      );
    }
    const { item, result } = await Promise.race(running.values());
    running.delete(item);
    yield result;
  }
}
