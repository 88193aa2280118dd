import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@fairlead/apimachinery';
import type { Scenario, Step } from './case.ts';
import { startController, startWorkers } from './controller.ts';
import { inOrder } from './in-order.ts';
import { configure, install, removeDefinitions } from './installation.ts';
import { Processes } from './processes.ts';
import { type Observation, runScenario } from './run-scenario.ts';
import { openRealTarget } from './target.ts';

export interface StepResult {
  readonly index: number;
  readonly observed: JsonObject;
}

/** A scenario with its steps: everything that a run needs. */
export type Steps = Scenario & { readonly steps: readonly Step[] };

/** A scenario that a process is asked to run. */
export interface ScenarioRequest {
  readonly scenario: Steps;
  readonly id: string;
  readonly dir: string;
}

export interface Outcome {
  readonly results: readonly StepResult[];
  /** Why the steps could not be completed. */
  readonly problem?: string;
}

export interface ScenarioResult<S> extends Outcome {
  readonly scenario: S;
}

export interface RunOptions {
  /** The cluster to run on. */
  readonly kubeconfig?: string | undefined;
  /** A custom observation, if not the one of the recorded syncs. */
  readonly observation?: (scenario: Steps) => Observation;
  /** The program that runs scenarios on embedded clusters, with the same observation. */
  readonly program?: URL;
  /** How many scenarios share the cluster of the kubeconfig at a time. */
  readonly atATime?: number;
}

/** Runs scenarios and yields their results in the given order: each on an embedded cluster, or all on the one of a kubeconfig. */
export async function* runAll<S extends Steps>(
  scenarios: readonly S[],
  options: RunOptions = {},
): AsyncGenerator<ScenarioResult<S>> {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-sync-'));
  try {
    const { kubeconfig } = options;
    yield* kubeconfig ? runOnOne(scenarios, kubeconfig, dir, options) : runOnOwn(scenarios, dir, options);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function* runOnOwn<S extends Steps>(
  scenarios: readonly S[],
  dir: string,
  { program = new URL('./scenario-process.ts', import.meta.url) }: RunOptions,
): AsyncGenerator<ScenarioResult<S>> {
  const processes = new Processes<ScenarioRequest, Outcome>(program);
  try {
    yield* inOrder(scenarios, processes.capacity, async (scenario, index) => ({
      scenario,
      ...(await processes.run({ scenario, id: `q${index}z`, dir })),
    }));
  } finally {
    processes.close();
  }
}

/** How long a resource that is not Healthy must stay the same: on a busy machine, pods of a real cluster take a while to become ready. */
const progressMs = 20_000;

/** Its settings concern all Applications, or it reports the kinds that other scenarios define. */
const runsAlone = ({ settings, steps }: Steps): boolean =>
  settings !== undefined || steps.some(({ expect }) => JSON.stringify(expect).includes('on the destination cluster'));

/** One cluster and one controller for all; scenarios that cannot share them run one at a time, after the others. */
async function* runOnOne<S extends Steps>(
  scenarios: readonly S[],
  kubeconfig: string,
  dir: string,
  // A scenario waits most of the time.
  { observation, atATime = 12 }: RunOptions,
): AsyncGenerator<ScenarioResult<S>> {
  const workers = startWorkers();
  const target = await openRealTarget(kubeconfig);
  await install(target);
  const controller = await startController(target, workers, dir);
  const started = Date.now().toString(36);
  const run = async (scenario: S, index: number): Promise<ScenarioResult<S>> => {
    const id = `${started}${index}z`;
    const outcome = await runScenario(
      { progressMs, ...scenario },
      { target, controller },
      {
        folder: join(dir, id),
        id,
        observation: observation?.(scenario),
        removeAll: true,
      },
    );
    return { scenario, ...outcome };
  };
  const shared = scenarios.filter((scenario) => !runsAlone(scenario));
  yield* inOrder(shared, atATime, run);
  for (const [index, scenario] of scenarios.filter(runsAlone).entries()) {
    await removeDefinitions(target);
    await configure(target, scenario.settings ?? {});
    await target.pass(2_000);
    yield await run(scenario, shared.length + index);
    await configure(target, {});
  }
  await controller.stop();
  await target.close();
  await workers.close();
}
