import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningController, startController, startWorkers } from './controller.ts';
import { configure, install, removeDefinitions } from './installation.ts';
import { serve } from './processes.ts';
import { type Observation, runScenario } from './run-scenario.ts';
import type { Outcome, ScenarioRequest, Steps } from './run-scenarios.ts';
import type { Target } from './target.ts';

/** An embedded cluster with its controller. */
interface Lane {
  readonly target: Target;
  readonly controller: RunningController;
  scenarios: number;
}

export interface ServeOptions {
  readonly open: () => Promise<Target>;
  readonly observation?: (scenario: Steps) => Observation;
  /** Most objects of scenarios are not cleaned up: after this many, a new cluster is started. */
  readonly scenariosPerLane: number;
}

/** Runs the scenarios that the parent process asks for. */
export function serveScenarios(options: ServeOptions): void {
  const lanes = new Lanes(options);
  serve<ScenarioRequest, Outcome>((request) => lanes.run(request));
}

/** Scenarios use a cluster one after the other. A scenario with settings has its own cluster. */
class Lanes {
  readonly #options: ServeOptions;
  readonly #workers = startWorkers();
  readonly #idle: Lane[] = [];

  constructor(options: ServeOptions) {
    this.#options = options;
  }

  async run({ scenario, id, dir }: ScenarioRequest): Promise<Outcome> {
    const { settings } = scenario;
    const { observation, scenariosPerLane } = this.#options;
    const folder = join(dir, id);
    const lane = (settings ? undefined : this.#idle.pop()) ?? (await this.#open(join(dir, `sources-${id}`), settings));
    const outcome = await runScenario(scenario, lane, { folder, id, observation: observation?.(scenario) });
    lane.scenarios += 1;
    if (outcome.problem !== undefined || settings || lane.scenarios >= scenariosPerLane) await closeLane(lane);
    else {
      await lane.target.during(removeDefinitions(lane.target));
      this.#idle.push(lane);
    }
    await rm(folder, { recursive: true, force: true });
    return outcome;
  }

  async #open(cacheDir: string, settings?: Readonly<Record<string, string>>): Promise<Lane> {
    const target = await this.#options.open();
    await target.during(install(target));
    if (settings) await configure(target, settings);
    const controller = await target.during(startController(target, this.#workers, cacheDir));
    return { target, controller, scenarios: 0 };
  }
}

async function closeLane({ target, controller }: Lane): Promise<void> {
  await target.during(controller.stop());
  await target.close();
}
