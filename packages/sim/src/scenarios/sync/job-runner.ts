import type { KubeObject } from '@fairlead/apimachinery';
import type { Simulation } from '../../simulation.ts';
import { jobs, type SyncSimulation } from './sync-simulation.ts';

/** How a Job may end: `never`, or at random. */
const outcomeAnnotation = 'example.com/outcome';
export const mayFail = { [outcomeAnnotation]: 'any' };

/** Longer than any request can be in flight: so no request for a finished Job arrives after its end. */
const shortestMs = 25_000;

/** Runs the Jobs of a cluster: each ends after a while, with success or failure. Without faults, none fails. */
export class JobRunner {
  calm = false;
  readonly #sim: Simulation;
  readonly #sync: SyncSimulation;

  constructor(sim: Simulation, sync: SyncSimulation) {
    this.#sim = sim;
    this.#sync = sync;
    sync.server.store.onEvent(({ type, object }) => {
      if (type === 'ADDED' && object.kind === 'Job') this.#begin(object);
    });
  }

  #begin({ metadata }: KubeObject): void {
    const { name, namespace = '', uid = '' } = metadata;
    const ms = this.#sim.between(shortestMs, 60_000);
    const fails = metadata.annotations?.[outcomeAnnotation] === 'any' && !this.calm && this.#sim.chance(0.3);
    this.#sim.schedule(ms, `job ${name} ${fails ? 'fails' : 'ends well'}`, () => {
      const job = this.#sync.server.store.find(jobs, { namespace, name });
      if (job?.metadata.uid !== uid || job.metadata.deletionTimestamp) return;
      const condition = { type: fails ? 'Failed' : 'Complete', status: 'True', message: fails ? 'it broke' : 'done' };
      this.#sync.server.store.replace(jobs, { ...job, status: { conditions: [condition] } } as KubeObject);
    });
  }
}
